// The two types, `doca` without hidden objects and `docb` with them, and for each a type without a policy that is linked to it. Every
// commit goes to both, with hidden objects besides, so they have the same versions.
import { openAccessManagement } from '@octavo/service'
import { randomFrom } from '../../harness/random.ts'
import { accepted, asking, type Ask, type Served } from './serve.ts'

export const pair = ['a', 'b'] as const
export type Side = (typeof pair)[number]

/** Names of the same length on both sides. */
export const docs = (side: Side): string => `doc${side}`
export const references = (side: Side): string => `ref${side}`

export interface Size {
  readonly hidden: number
  readonly visible: number
  readonly seed: number
}

type Values = Readonly<Record<string, unknown>>

export interface TwoTypes {
  readonly rid: string
  /** A reader from whom the policy hides some objects. */
  readonly ask: Ask
  readonly size: Size
  /** Makes a visible object, and a hidden one; the same number gives the same key. */
  readonly visible: (number: number) => Values
  readonly hidden: (number: number) => Values
  /** One commit on each side. */
  readonly commit: (visible: readonly Change[], hidden: readonly Change[]) => Promise<void>
}

type Change =
  | { readonly type: 'put'; readonly properties: Values }
  | { readonly type: 'delete'; readonly primaryKey: string }

export const put = (properties: Values): Change => ({ type: 'put', properties })
export const remove = (primaryKey: string): Change => ({ type: 'delete', primaryKey })

export async function makeTwoTypes(served: Served, size: Size): Promise<TwoTypes> {
  const access = openAccessManagement(served.databaseUrl)
  try {
    const owner = await access.createToken({
      subject: 'owner',
      scopes: ['api:ontologies-read', 'api:ontologies-write', 'api:ontologies-admin'],
    })
    const manage = asking(served, owner.accessToken)
    const { rid } = await accepted<{ readonly rid: string }>(manage, {
      method: 'PUT',
      path: '/manage/v1/ontologies/one',
      body: { apiName: 'one', displayName: 'One', apiFamilies: ['one'] },
    })
    const reader = await access.createToken({
      subject: 'reader',
      groups: ['g1'],
      scopes: ['api:ontologies-read'],
    })
    await access.addGrant(rid, { principal: { type: 'subject', name: 'reader' }, role: 'reader' })
    const types = `/manage/v1/ontologies/${rid}/objectTypes`
    const apply = (definition: { readonly apiName: string }) =>
      accepted(manage, { method: 'PUT', path: `${types}/${definition.apiName}`, body: definition })
    const send = (type: string, changes: readonly Change[]) =>
      accepted(manage, {
        method: 'POST',
        path: `${types}/${type}/batches`,
        body: changes.map((change) => JSON.stringify(change)).join('\n'),
      })
    const two: TwoTypes = {
      rid,
      ask: asking(served, reader.accessToken),
      size,
      ...objectsOf(size),
      commit: async (visible, hidden) => {
        for (const side of pair) await send(docs(side), side === 'a' ? visible : [...visible, ...hidden])
      },
    }
    for (const side of pair) {
      await apply(docDefinition(docs(side)))
      await apply(referenceDefinition(references(side), docs(side)))
    }
    await fill(two, send)
    return two
  } finally {
    await access.close()
  }
}

type Send = (type: string, changes: readonly Change[]) => Promise<unknown>

/** The hidden objects come with the second commit. The references lead to visible and to hidden objects. */
async function fill(
  { size, visible, hidden, commit }: Pick<TwoTypes, 'size' | 'visible' | 'hidden' | 'commit'>,
  send: Send,
): Promise<void> {
  const make = (count: number, object: (number: number) => Values) =>
    Array.from({ length: count }, (_, number) => put(object(number)))
  await commit(make(size.visible, visible), [])
  await commit([put(visible(size.visible))], make(size.hidden, hidden))
  const known = [...make(size.visible, visible), ...make(size.hidden, hidden)].slice(0, 4_000)
  const held = known.flatMap((change) => (change.type === 'put' ? [change.properties['id']] : []))
  const holders = held.map((doc, i) => put({ id: `r${digits(i)}`, doc, tag: 'xyz'[i % 3] }))
  for (const side of pair) await send(references(side), holders)
}

const digits = (number: number): string => String(number).padStart(6, '0')

function objectsOf({ visible: count, seed }: Size): Pick<TwoTypes, 'visible' | 'hidden'> {
  /** Objects with one number are always the same. */
  const numbersOf = (number: number, kind: number) => randomFrom(seed * 7_919 + number * 2 + kind).below
  const visibleKey = (number: number) => `v${digits(number)}`
  return {
    visible: (number) => {
      const random = numbersOf(number, 0)
      return {
        id: visibleKey(number),
        title: `Title ${random(17)} word`,
        n: random(31),
        cat: 'abc'[random(3)],
        tags: [`t${random(5)}`],
        dept: 'g1',
        peer: visibleKey(random(count)),
        many: [visibleKey(random(count)), `h${digits(random(40))}`],
      }
    },
    hidden: (number) => {
      const random = numbersOf(number, 1)
      const near = `${visibleKey(random(count))}h${'x'.repeat(random(200))}${number}`
      return {
        id: number % 3 === 1 ? `h${digits(number)}` : near,
        title: `Secret ${number} word ${'long'.repeat(random(40))}`,
        n: random(37) - 3,
        cat: 'abcdz'[random(5)],
        tags: ['t1', 'secret'],
        dept: 'g2',
        peer: visibleKey(random(count)),
        many: [visibleKey(random(count))],
      }
    },
  }
}

const text = { type: 'string' }

const docDefinition = (apiName: string) => ({
  apiName,
  displayName: 'Doc',
  primaryKey: 'id',
  titleProperty: 'title',
  properties: {
    id: text,
    title: { ...text, searchable: true, sortable: true },
    n: { type: 'integer', searchable: true, sortable: true },
    cat: { ...text, searchable: true, counted: true, sortable: true },
    tags: { type: { array: 'string' }, searchable: true },
    dept: { ...text, searchable: true },
    peer: { ...text, searchable: true },
    many: { type: { array: 'string' }, searchable: true },
  },
  orders: [
    {
      fields: [
        { field: 'cat', direction: 'asc' },
        { field: 'n', direction: 'asc' },
      ],
    },
  ],
  policy: { type: 'in', field: 'dept', value: { claim: 'groups' } },
  links: {
    peer: { objectType: apiName, foreignKeyProperty: 'peer', reverse: 'peers' },
    many: { objectType: apiName, foreignKeyProperty: 'many', reverse: 'manies' },
  },
})

const referenceDefinition = (apiName: string, to: string) => ({
  apiName,
  displayName: 'Reference',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: text,
    doc: { ...text, searchable: true, sortable: true },
    tag: { ...text, searchable: true, sortable: true },
  },
  links: { doc: { objectType: to, foreignKeyProperty: 'doc', reverse: 'references' } },
})
