// What a walk of three pages returns while others write: counted from the front, and from a snapshot. Both lanes are computed from
// the same states, so the picture cannot claim what does not happen.
import { box, dashed, label, picture, type Tone } from './svg.ts'

const pageSize = 3
const before = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const afterFirst = ['A', 'New', 'B', 'C', 'D', 'E', 'F', 'G', 'H']
const afterSecond = ['New', 'C', 'D', 'E', 'F', 'G', 'H']
const states = [before, afterFirst, afterSecond]

const pageOf = (state: readonly string[], page: number): readonly string[] =>
  state.slice(page * pageSize, (page + 1) * pageSize)

const left = 150
const pageWidth = 190
const cell = { width: 44, height: 34 }

function lane(y: number, pages: readonly (readonly string[])[]): readonly string[] {
  const seen = new Set<string>()
  return pages.flatMap((objects, page) =>
    objects.map((object, place) => {
      const tone: Tone = seen.has(object) ? 'bad' : 'good'
      seen.add(object)
      return box({ x: left + page * pageWidth + place * (cell.width + 6), y, ...cell }, [object], tone)
    }),
  )
}

function judgement(pages: readonly (readonly string[])[]): { readonly text: string; readonly tone: Tone } {
  const all = pages.flat()
  const twice = [...new Set(all.filter((object, i) => all.indexOf(object) !== i))]
  const lost = before.filter((object) => afterSecond.includes(object) && !all.includes(object))
  if (twice.length === 0 && lost.length === 0) {
    return { text: 'Every object of version 24, once.', tone: 'good' }
  }
  return {
    text: `${twice.join(' and ')} came twice; ${lost.join(' and ')} never came, though nobody touched them.`,
    tone: 'bad',
  }
}

export function walkPicture(): string {
  const offset = states.map((state, page) => pageOf(state, page))
  const snapshot = states.map((_state, page) => pageOf(before, page))
  const lanes = [
    { y: 92, name: ['OFFSET 0, 3, 6'], pages: offset },
    { y: 192, name: ['Octavo,', 'snapshot'], pages: snapshot },
  ]
  const commits = ['25: New after A', '26: A and B deleted']
  return picture(
    { width: 740, height: 270 },
    'A walk of three pages while two commits are made. With OFFSET an object comes twice and others never; from a snapshot every object comes once.',
    [
      label({ x: 16, y: 28 }, 'Three pages, read while others write', { size: 'title' }),
      ...[0, 1, 2].map((page) =>
        label({ x: left + page * pageWidth + 72, y: 72 }, `page ${page + 1}`, {
          anchor: 'middle',
          size: 'small',
        }),
      ),
      ...commits.flatMap((commit, i) => {
        const x = left + (i + 1) * pageWidth - 22
        return [
          dashed({ x, y: 58 }, { x, y: 130 }),
          dashed({ x, y: 186 }, { x, y: 230 }),
          label({ x, y: 50 }, `commit ${commit}`, { anchor: 'middle', size: 'small' }),
        ]
      }),
      ...lanes.flatMap(({ y, name, pages }) => [
        ...name.map((line, i) => label({ x: 16, y: y + (name.length === 1 ? 22 : 14) + i * 18 }, line)),
        ...lane(y, pages),
        label({ x: left, y: y + 56 }, judgement(pages).text, { tone: judgement(pages).tone, size: 'usual' }),
      ]),
    ],
  )
}
