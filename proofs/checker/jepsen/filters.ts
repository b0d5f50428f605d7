// Queries, each with a function that decides which objects match.
import type { Chance } from '../chances.ts'
import type { Thing } from './state.ts'
import { cats, often, tags, words, type Things } from './things.ts'

export interface Filter {
  readonly query: object
  /** The same as a condition of an object set of revision v2, if there is one. */
  readonly where?: object | undefined
  readonly matches: (thing: Thing, owners: ReadonlyMap<string, Thing>) => boolean
  /** It asks for something of the owner. */
  readonly isLinked?: boolean
}

export const everything: Filter = { query: { type: 'empty' }, matches: () => true }
export const isEverything = ({ query }: Filter): boolean => 'type' in query && query.type === 'empty'

const wordEnds = /[\s?!,:;\-[\](){}'"~]+/u
const termsOf = (text: string | null | undefined): readonly string[] =>
  (text ?? '').toLowerCase().split(wordEnds).filter(Boolean)
const searchedTexts = ({ cat, note, ownerId, tags, depts }: Thing) => [
  cat,
  note,
  ownerId,
  ...(tags ?? []),
  ...(depts ?? []),
]

const comparisons = {
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
  eq: (a: number, b: number) => a === b,
}

/** Wherever the words follow one another, and the last matches. */
function inOrder(
  text: string | null | undefined,
  wanted: string,
  isLast: (term: string, word: string) => boolean,
) {
  const [terms, words] = [termsOf(text), termsOf(wanted)]
  return terms.some((_, i) =>
    words.every((word, j) => {
      const term = terms[i + j]
      return term !== undefined && (j === words.length - 1 ? isLast(term, word) : term === word)
    }),
  )
}

type Leaf = (chance: Chance, things: Things) => Filter
const both = (condition: object, matches: Filter['matches']): Filter => ({
  query: condition,
  where: condition,
  matches,
})

const leaves: readonly Leaf[] = [
  ({ one }) => {
    const value = one(cats)
    return both({ type: 'eq', field: 'cat', value }, ({ cat }) => cat === value)
  },
  ({ one }) => {
    const value = [one(cats), one(cats)]
    return both({ type: 'in', field: 'cat', value }, ({ cat }) => cat != null && value.includes(cat))
  },
  ({ one, below }) => {
    const [type, value] = [one(['lt', 'lte', 'gt', 'gte'] as const), below(40) - 20]
    return both({ type, field: 'n', value }, ({ n }) => n != null && comparisons[type](n, value))
  },
  ({ one }) => {
    const value = one(tags)
    return both({ type: 'contains', field: 'tags', value }, ({ tags }) => (tags ?? []).includes(value))
  },
  ({ one }) => {
    const value = `${one(words)} ${one(words)}`
    return {
      query: { type: 'anyTerm', field: 'note', value },
      where: { type: 'containsAnyTerm', field: 'note', value },
      matches: ({ note }) => termsOf(value).some((word) => termsOf(note).includes(word)),
    }
  },
  ({ one }) => {
    const value = `${one(words)} ${one(words)}`
    return {
      query: { type: 'phrase', field: 'note', value },
      where: { type: 'containsAllTermsInOrder', field: 'note', value },
      matches: ({ note }) => inOrder(note, value, (term, word) => term === word),
    }
  },
  ({ one, below }) => {
    const field = one(['cat', 'n', 'tags', 'note', 'price', 'ownerId'] as const)
    const value = below(2) === 0
    return both({ type: 'isNull', field, value }, (thing) => (thing[field] === undefined) === value)
  },
  ({ one, below }) => {
    const type = one(['lt', 'gte', 'eq'] as const)
    const value = `${below(9)}.${below(9)}0`
    return both(
      { type, field: 'price', value },
      ({ price }) => price != null && comparisons[type](Number(price), Number(value)),
    )
  },
  (_chance, { key }) => {
    const [from = '', to = ''] = [key(), key()].toSorted()
    const value = [
      { type: 'gte', field: 'id', value: from },
      { type: 'lt', field: 'id', value: to },
    ]
    return both({ type: 'and', value }, ({ id }) => id >= from && id < to)
  },
  ({ one }) => {
    const value = `${one(words)} ${one(words).slice(0, 2)}`
    return {
      query: { type: 'prefix', field: 'note', value },
      where: { type: 'startsWith', field: 'note', value },
      matches: ({ note }) => inOrder(note, value, (term, word) => term.startsWith(word)),
    }
  },
  ({ one }) => {
    const query = one(words)
    return {
      query: { type: 'keyword', query },
      matches: (thing) => searchedTexts(thing).some((text) => termsOf(text).includes(query.toLowerCase())),
    }
  },
]

const ofOwner: Leaf = ({ below }) => {
  const value = below(5)
  return {
    query: { type: 'linked', link: 'owner', query: { type: 'gte', field: 'level', value } },
    isLinked: true,
    matches: ({ ownerId }, owners) => ownerId != null && (owners.get(ownerId)?.level ?? -1) >= value,
  }
}

/** A filter by chance; one that asks for something of the owner only if it may. */
export function filterByChance(chance: Chance, things: Things, mayBeLinked = false): Filter {
  const kind = chance.one(['all', 'all', 'all', 'leaf', 'leaf', 'and', 'or', 'not', 'linked'])
  const [a, b] = [chance.one(leaves)(chance, things), chance.one(leaves)(chance, things)]
  const together = (type: 'and' | 'or', matches: Filter['matches']): Filter => ({
    query: { type, value: [a.query, b.query] },
    where: a.where && b.where && { type, value: [a.where, b.where] },
    matches,
  })
  switch (kind) {
    case 'all':
      return everything
    case 'and':
      return together('and', (thing, owners) => a.matches(thing, owners) && b.matches(thing, owners))
    case 'or':
      return together('or', (thing, owners) => a.matches(thing, owners) || b.matches(thing, owners))
    case 'not':
      return {
        query: { type: 'not', value: a.query },
        where: a.where && { type: 'not', value: a.where },
        matches: (thing, owners) => !a.matches(thing, owners),
      }
    case 'linked':
      return mayBeLinked && often(chance, 6) ? ofOwner(chance, things) : a
    default:
      return a
  }
}
