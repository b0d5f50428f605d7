// Sixty thousand small objects that are linked to each other, and some with long texts; a reader that floods, one that does not, and
// a writer.
import { openAccessManagement } from '@octavo/service'
import { accepted, asking, type Served } from '../access/serve.ts'
import { randomFrom } from '../../harness/random.ts'

const smallObjects = 60_000
const textObjects = 480
const wordsOfText = 4_000

export interface Flooded extends Served {
  readonly rid: string
  readonly tokens: Readonly<Record<'flooding' | 'quiet' | 'writing', string>>
}

const string = { type: 'string' } as const
const searchable = { ...string, searchable: true } as const

export const keyOf = (number: number): string => `k${number % smallObjects}`

const random = randomFrom(1).below
export const words = Array.from({ length: 3_000 }, () =>
  random(2 ** 32)
    .toString(16)
    .padStart(8, '0'),
)

const put = (properties: object): string => JSON.stringify({ type: 'put', properties })

const small = (i: number): string =>
  put({
    id: keyOf(i),
    n: i,
    peer: keyOf(i * 7),
    many: Array.from({ length: 10 }, (_, nth) => keyOf(i * 31 + nth * 97)),
  })

const text = (): string => Array.from({ length: wordsOfText }, () => words[random(words.length)]).join(' ')

export async function makeTypes(served: Served): Promise<Flooded> {
  const access = openAccessManagement(served.databaseUrl)
  const tokenOf = async (
    subject: string,
    ...more: readonly ('api:ontologies-write' | 'api:ontologies-admin')[]
  ) => (await access.createToken({ subject, scopes: ['api:ontologies-read', ...more] })).accessToken
  try {
    const writing = await tokenOf('writing', 'api:ontologies-write', 'api:ontologies-admin')
    const manage = asking(served, writing)
    const { rid } = await accepted<{ readonly rid: string }>(manage, {
      method: 'PUT',
      path: '/manage/v1/ontologies/one',
      body: { apiName: 'one', displayName: 'One', apiFamilies: ['one'] },
    })
    const apply = (apiName: string, definition: object) =>
      accepted(manage, {
        method: 'PUT',
        path: `/manage/v1/ontologies/${rid}/objectTypes/${apiName}`,
        body: { apiName, displayName: apiName, primaryKey: 'id', titleProperty: 'id', ...definition },
      })
    const send = (type: string, lines: readonly string[]) =>
      accepted(manage, {
        method: 'POST',
        path: `/manage/v1/ontologies/${rid}/objectTypes/${type}/batches`,
        body: lines.join('\n'),
      })
    await apply('small', {
      properties: {
        id: string,
        n: { type: 'integer', searchable: true },
        peer: searchable,
        many: { type: { array: 'string' }, searchable: true },
      },
      links: { many: { objectType: 'small', foreignKeyProperty: 'many', reverse: 'manies' } },
    })
    await apply('text', { properties: { id: string, t: searchable, u: searchable } })
    for (let from = 0; from < smallObjects; from += 20_000)
      await send(
        'small',
        Array.from({ length: 20_000 }, (_, i) => small(from + i)),
      )
    for (let from = 0; from < textObjects; from += 60)
      await send(
        'text',
        Array.from({ length: 60 }, (_, i) => put({ id: `t${from + i}`, t: text(), u: text() })),
      )
    for (const subject of ['flooding', 'quiet'])
      await access.addGrant(rid, { principal: { type: 'subject', name: subject }, role: 'reader' })
    const tokens = { writing, flooding: await tokenOf('flooding'), quiet: await tokenOf('quiet') }
    return { ...served, rid, tokens }
  } finally {
    await access.close()
  }
}
