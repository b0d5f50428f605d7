// Charts as SVG, without a library: bars side by side, or lines over a logarithmic axis.

interface Series {
  readonly name: string
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

export interface LineChart {
  readonly title: string
  readonly xName: string
  readonly yName: string
  readonly xScale: 'logarithmic' | 'linear'
  readonly series: readonly Series[]
}

export interface BarChart {
  readonly title: string
  readonly yName: string
  readonly bars: readonly { readonly name: string; readonly value: number; readonly series: number }[]
}

const width = 720
const colors = ['#2563eb', '#d97706', '#059669', '#7c3aed', '#dc2626', '#475569'] as const
const colorOf = (number: number): string => colors[number % colors.length] ?? colors[0]

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${escaped(content)}</text>`

/** With its own background, because a page may be dark. */
const drawing = (height: number, title: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${[text(16, 24, title, 'font-size="15" font-weight="bold"'), ...parts].join('\n')}
</svg>
`

/** The next round number above, so that the highest value stays below the edge. */
export function niceTop(most: number): number {
  if (!(most > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  const factor = [1, 1.5, 2, 3, 4, 5, 7.5, 10].find((candidate) => candidate * power >= most * 1.02) ?? 15
  return factor * power
}

const short = (value: number): string => {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(3)} M`
  if (value >= 1e4) return `${+(value / 1e3).toPrecision(3)} k`
  return String(+value.toPrecision(3))
}

export function lineChart({ title, xName, yName, xScale, series }: LineChart): string {
  const [left, right, top, bottom] = [64, width - 24, 64, 300]
  const xs = [...new Set(series.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b)
  const most = niceTop(Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y))))
  const scaled = (x: number) => (xScale === 'logarithmic' ? Math.log10(Math.max(1, x)) : x)
  const [first, last] = [scaled(xs[0] ?? 0), scaled(xs.at(-1) ?? 1)]
  const xAt = (x: number) => left + ((scaled(x) - first) / (last - first || 1)) * (right - left)
  const yAt = (y: number) => bottom - (y / most) * (bottom - top)
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
    `<line x1="${left}" x2="${right}" y1="${yAt(share * most)}" y2="${yAt(share * most)}" stroke="#e2e8f0"/>`,
    text(left - 8, yAt(share * most) + 4, short(share * most), 'text-anchor="end"'),
  ])
  let labelled = Number.NEGATIVE_INFINITY
  const ticks = xs.flatMap((x) => {
    if (xAt(x) - labelled < 44) return []
    labelled = xAt(x)
    return [text(xAt(x), bottom + 18, short(x), 'text-anchor="middle"')]
  })
  const lines = series.flatMap(({ name, points }, i) => {
    const path = points.map(({ x, y }) => `${xAt(x).toFixed(1)},${yAt(y).toFixed(1)}`)
    return [
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colorOf(i)}" stroke-width="2"/>`,
      ...path.map((point) => {
        const [x, y] = point.split(',')
        return `<circle cx="${x}" cy="${y}" r="3" fill="${colorOf(i)}"/>`
      }),
      `<rect x="${left + i * 160}" y="38" width="10" height="10" fill="${colorOf(i)}"/>`,
      text(left + i * 160 + 16, 47, name),
    ]
  })
  return drawing(344, title, [
    ...grid,
    ...ticks,
    ...lines,
    text((left + right) / 2, bottom + 38, xName, 'text-anchor="middle"'),
    text(right, 47, yName, 'text-anchor="end" fill="#475569"'),
  ])
}

export function barChart({ title, yName, bars }: BarChart): string {
  const [left, right, top] = [280, width - 90, 56]
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  const rows = bars.flatMap(({ name, value, series }, i) => {
    const y = top + i * 22
    const length = (value / most) * (right - left)
    return [
      text(left - 8, y + 12, name, 'text-anchor="end"'),
      `<rect x="${left}" y="${y}" width="${Math.max(1, length).toFixed(1)}" height="16" fill="${colorOf(series)}"/>`,
      text(left + length + 6, y + 12, short(value)),
    ]
  })
  return drawing(top + bars.length * 22 + 16, title, [text(left, 46, yName, 'fill="#475569"'), ...rows])
}
