// What the type holds at each version: known from what was written, not from what the service says of it.
import type { Chance } from '../chances.ts'
import type { Exported } from './start-exported.ts'

interface Thing {
  readonly id: string
  readonly n: number
  readonly text?: string
  readonly size?: number
  readonly flag?: boolean
  readonly tags?: readonly string[]
}

export interface History {
  /** Those whose `n` is less, in the order of their ids. */
  readonly at: (version: number, below?: number) => readonly Thing[]
  /** Puts and deletes some. */
  readonly change: () => Promise<void>
}

export const things = 20_000

const texts = [
  'plain',
  '',
  ' padded ',
  'two\nlines\r\nand more',
  'a "quote", a comma; and a \\ backslash',
  '=1+1',
  'ünïcödé 👩‍🚀 東京',
  '\u0001\u001b[31m\u2028\u009b',
  'x'.repeat(700),
]

export async function makeHistory({ ask }: Pick<Exported, 'ask'>, chance: Chance): Promise<History> {
  const { rid } = await ask(
    'PUT',
    '/manage/v1/ontologies/checked',
    JSON.stringify({ apiName: 'checked', displayName: 'Checked', apiFamilies: ['checked'] }),
  )
  const path = `/manage/v1/ontologies/${String(rid)}/objectTypes/thing`
  await ask('PUT', path, JSON.stringify(definition))
  /** For each id, since which version it is what; undefined is deleted. */
  const known = new Map<string, (readonly [version: number, thing: Thing | undefined])[]>()
  const make = (number: number): Thing => ({
    id: `k${String(number).padStart(6, '0')}`,
    n: number,
    ...(chance.below(4) > 0 && { text: `${chance.one(texts)}${chance.one(texts)} ${chance.below(1_000)}` }),
    ...(chance.below(2) > 0 && { size: chance.below(1_000_000) / 7 - 500 }),
    ...(chance.below(2) > 0 && { flag: chance.below(2) > 0 }),
    ...(chance.below(3) > 0 && { tags: Array.from({ length: chance.below(4) }, () => chance.one(texts)) }),
  })
  const send = async (
    changes: readonly (readonly [id: string, thing: Thing | undefined])[],
  ): Promise<void> => {
    const lines = changes.map(([id, thing]) =>
      JSON.stringify(
        thing === undefined ? { type: 'delete', primaryKey: id } : { type: 'put', properties: thing },
      ),
    )
    const { version } = await ask('POST', `${path}/batches`, lines.join('\n'))
    for (const [id, thing] of changes) {
      const before = known.get(id)
      if (before === undefined) known.set(id, [[Number(version), thing]])
      else before.push([Number(version), thing])
    }
  }
  for (let from = 0; from < things; from += 2_500) {
    await send(
      Array.from({ length: 2_500 }, (_, i) => {
        const thing = make(from + i)
        return [thing.id, thing] as const
      }),
    )
  }
  return {
    at: (version, below = Infinity) =>
      [...known]
        .flatMap(([, states]) => states.findLast(([since]) => since <= version)?.[1] ?? [])
        .filter(({ n }) => n < below)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    change: () => {
      const numbers = new Set(Array.from({ length: 300 }, () => chance.below(things + 500)))
      return send(
        [...numbers].map((number) => {
          const thing = make(number)
          return [thing.id, chance.below(5) === 0 ? undefined : thing] as const
        }),
      )
    },
  }
}

const definition = {
  apiName: 'thing',
  displayName: 'Thing',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    n: { type: 'integer', searchable: true },
    text: { type: 'string' },
    size: { type: 'double' },
    flag: { type: 'boolean' },
    tags: { type: { array: 'string' } },
  },
}
