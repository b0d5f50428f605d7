// What a thousand walks lost: a line for each contestant, and a bar for each kind of loss.
import { label, picture } from '../../tools/generate/pictures/svg.ts'
import { orders, type Order } from './employee.ts'
import { perThousand, type LostTally } from './lost-tally.ts'

const columns = [
  { name: 'missed objects', count: 'missed' },
  { name: 'repeated objects', count: 'repeated' },
  { name: 'torn pairs', count: 'torn' },
] as const

const titles: Readonly<Record<Order, string>> = { employeeId: 'in key order', hiredAt: 'in order of a time' }

const width = 740
const left = 200
const columnWidth = 180
const longest = 110
const lineHeight = 24

export function lostPicture(tallies: readonly LostTally[]): string {
  const most = Math.max(
    1,
    ...tallies.flatMap((tally) => columns.map(({ count }) => perThousand(tally, tally[count]))),
  )
  const parts = [label({ x: 16, y: 28 }, 'A thousand walks while others write', { size: 'title' })]
  let y = 62
  for (const order of orders) {
    parts.push(label({ x: 16, y }, titles[order], { size: 'small' }))
    for (const [i, { name }] of columns.entries()) {
      parts.push(label({ x: left + i * columnWidth, y }, name, { size: 'small' }))
    }
    for (const tally of tallies.filter((one) => one.order === order)) {
      y += lineHeight
      parts.push(label({ x: 16, y }, tally.contestant))
      for (const [i, { count }] of columns.entries()) {
        parts.push(...bar({ x: left + i * columnWidth, y }, perThousand(tally, tally[count]), most))
      }
    }
    y += 2 * lineHeight
  }
  return picture({ width, height: y - lineHeight }, described(tallies), parts)
}

function bar(
  { x, y }: { readonly x: number; readonly y: number },
  count: number,
  most: number,
): readonly string[] {
  if (count === 0) return [label({ x, y }, '0', { tone: 'good' })]
  const length = Math.max(1, Math.round((count / most) * longest))
  return [
    `<rect x="${x}" y="${y - 12}" width="${length}" height="15" class="box bad"/>`,
    label({ x: x + length + 6, y }, count.toLocaleString('en')),
  ]
}

/** For those who cannot see it. */
const described = (tallies: readonly LostTally[]): string =>
  tallies
    .map((tally) => {
      const counts = columns.map(({ name, count }) => `${perThousand(tally, tally[count])} ${name}`)
      return `${tally.contestant}, ${titles[tally.order]}: ${counts.join(', ')}.`
    })
    .join(' ')
