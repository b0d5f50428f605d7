import { expect, it } from 'vitest'
import { barChart, lineChart, niceTop } from './chart-svg.ts'

it('the axis ends at a round number above the highest value', () => {
  expect(niceTop(240)).toBe(300)
  expect(niceTop(0.97)).toBe(1)
  expect(niceTop(1)).toBe(1.5)
  expect(niceTop(99_999)).toBe(150_000)
})

it('a line goes from the left edge to the right, over powers of ten', () => {
  const points = [1, 10, 100].map((x) => ({ x, y: 5 }))
  const svg = lineChart({
    title: 'Depth',
    xName: 'objects before',
    yName: 'blocks',
    xScale: 'logarithmic',
    series: [{ name: 'latest', points }],
  })
  const [, line = ''] = /polyline points="([^"]+)"/.exec(svg) ?? []
  expect(line.split(' ').map((point) => Number(point.split(',')[0]))).toEqual([64, 380, 696])
})

it('the longest bar is the greatest value, and names cannot break the drawing', () => {
  const svg = barChart({
    title: 'Rates & ratios',
    yName: 'pages a second',
    bars: [
      { name: 'a <b>', value: 10, series: 0 },
      { name: 'c', value: 5, series: 1 },
    ],
  })
  expect(svg).toContain('a &lt;b&gt;')
  expect(svg).toContain('Rates &amp; ratios')
  const lengths = [...svg.matchAll(/width="([\d.]+)" height="16"/g)].map((match) => Number(match[1]))
  expect(lengths).toEqual([350, 175])
})
