// What a caller sends is passed in parameters, never in the text of a statement: two requests of one shape have the same
// text.
import { type GeneratedType, generateQuery, generateType, type Random, seededRandom } from '@octavo/model'
import { isCondition, searchTerms, type Query, type ScalarValue } from '@octavo/protocol'
import {
  changeRows,
  chooseOrder,
  compileChangesQuery,
  compileCountQuery,
  compileEndsQuery,
  compileKeysQuery,
  compilePageQuery,
  compileScanQuery,
  compileVersionsQuery,
  everything,
  isKeyOrder,
  listAccesses,
  type ObjectType,
  type PagePlan,
  parseListRequest,
  resolveFilter,
  resolveNames,
  ServiceError,
} from '../../packages/service/test/inside.ts'
import { unsavedType } from '../../packages/service/test/support/unsaved-type.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { aggregateTexts } from './aggregate-texts.ts'

const attacks = [
  "'; drop table octavo.ontologies; --",
  "' or ''='",
  '" or 1=1 --',
  '$1',
  '$99::text',
  '\\',
  "\\'",
  '/*',
  '*/ union select 1',
  ';',
  'pk',
  'p1) or (true',
  '{"a","b"}',
  "E'\\x27'",
  "a' & 'b",
  "x':*",
  ') is not true or (true',
] as const

export async function proveInjection(proof: Proof, rounds = proof.short ? 1_000 : 30_000): Promise<void> {
  await proof.point(
    'Values, positions and orders of a request never reach the text of a statement',
    async () => {
      const random = seededRandom(7)
      let texts = 0
      for (let round = 0; round < rounds; round += 1) {
        const generated = generateType(random, 'attacked')
        const type = unsavedType(generated.definition)
        const query = generateQuery(random, generated, 3)
        const hostile = textsOf(random, {
          type,
          generated,
          query: withStrings(query, () => random.pick(attacks)),
        })
        const plain = textsOf(random, { type, generated, query: withStrings(query, () => 'x') })
        expect(hostile.length === plain.length, `another number of statements for ${JSON.stringify(query)}`)
        for (const [i, text] of hostile.entries()) {
          expect(text === plain[i], `the text depends on a value: ${text}\n${plain[i]}`)
          checkWords(text, type)
        }
        texts += hostile.length
      }
      return `${texts.toLocaleString('en')} statements, each the same for hostile and for plain values`
    },
  )
  await proof.point('Names that are not in the catalog are refused before there is a statement', async () => {
    const generated = generateType(seededRandom(8), 'attacked')
    const type = unsavedType(generated.definition)
    let refused = 0
    for (const name of attacks.flatMap((attack) => [
      attack,
      `title${attack}`,
      `place:${attack}`,
      `properties.${attack}`,
    ])) {
      const field = () => resolveFilter(type, { type: 'eq', field: name, value: 'x' })
      const order = () => resolveNames(parseListRequest({ orderBy: `properties.${name}:asc` }), type)
      const filter = () => resolveNames(parseListRequest({ [`properties.${name}.eq`]: 'x' }), type)
      const direction = () => parseListRequest({ orderBy: `properties.title:${name}` })
      for (const attempt of [field, order, filter, direction]) {
        expect(isRefused(attempt), `${name} was not refused`)
        refused += 1
      }
    }
    return `${refused} names and directions refused`
  })
}

function isRefused(attempt: () => unknown): boolean {
  try {
    attempt()
    return false
  } catch (error) {
    return error instanceof ServiceError
  }
}

interface Attacked {
  readonly type: ObjectType
  readonly generated: GeneratedType
  readonly query: Query
}

/** Every statement that any plan of the query could produce, on a first and on a later page, latest and at a version. */
function textsOf(random: Random, { type, generated, query }: Attacked): readonly string[] {
  const filter = resolveFilter(type, query)
  if (filter === everything) return []
  const keyOrder = chooseOrder(type, [])
  const orders = [undefined, ...generated.orders.map((order) => chooseOrder(type, order))]
  const ends = compileEndsQuery(type, { filter, partitionCount: 2, places: [random.pick(attacks)] })
  const pages = orders.flatMap((order) =>
    listAccesses(type, { filter, order, keyOrder }).flatMap((access) =>
      [undefined, access.order.keys.map(() => random.pick(attacks))].flatMap((position) =>
        (
          [
            { kind: 'latest' },
            { kind: 'snapshot', version: random.pick(attacks), tag: 'any' },
            {
              kind: 'snapshot',
              version: random.pick(attacks),
              tag: 'any',
              epochs: { from: random.pick(attacks), count: 2 },
            },
          ] as const
        ).flatMap((at) => {
          const plan: PagePlan = {
            type,
            record: '2.0',
            order: access.order,
            position,
            end:
              isKeyOrder(access.order) && access.order.scan === 'forward' ? random.pick(attacks) : undefined,
            at,
            pageSize: 100,
            byteBudget: 1_000_000,
            access,
          }
          const checks = access.kind === 'scan' && access.check !== everything
          const page = checks
            ? compileScanQuery(plan, { stretch: 1_000, bytesLeft: 1_000, isFirst: true })
            : compilePageQuery(plan, { cutAtBudget: true, withEscapes: true })
          return [page.text, compileCountQuery(plan, { atMost: 10_001, stretch: 50_000 }).text]
        }),
      ),
    ),
  )
  const since = { version: random.pick(attacks) }
  const position = { version: random.pick(attacks), key: random.pick(attacks) }
  const later = { kind: 'snapshot', version: random.pick(attacks), tag: 'any' } as const
  const changes = compileChangesQuery({
    type,
    since,
    at: later,
    after: position,
    upTo: position,
    reach: 9,
    most: 3,
  })
  const keys = compileKeysQuery({ type, at: later, filter })
  const versions = [null, random.pick(attacks)].map((epoch) =>
    compileVersionsQuery({
      type,
      at: later,
      record: '2.0',
      key: random.pick(attacks),
      visible: filter,
      before: { version: random.pick(attacks), epoch },
      most: 9,
      byteBudget: 1_000_000,
    }),
  )
  const aggregates = listAccesses(type, { filter, order: undefined, keyOrder })
    .slice(0, 1)
    .flatMap((access) => aggregateTexts({ type, at: later, access }, () => random.pick(attacks)))
  return [ends.text, changes.text, keys.text, ...versions.map(({ text }) => text), ...aggregates, ...pages]
}

/** The same query with other strings: the same number of terms where terms count, the same type where a type is checked. */
function withStrings(query: Query, next: () => string): Query {
  const sameTerms = (text: string) => {
    // Numbered, so that all are different: a repeated term is searched only once.
    const words = [...new Set(searchTerms(text))].map((_term, i) => `${searchTerms(next())[0] ?? ''}${i}`)
    return words.join(' ')
  }
  const sameKind = (value: ScalarValue) => (isFree(value) ? next() : value)
  if (isCondition(query, 'text')) return { ...query, value: sameTerms(query.value) }
  if (isCondition(query, 'scalar')) return { ...query, value: sameKind(query.value) }
  if (isCondition(query, 'list')) return { ...query, value: query.value.map(sameKind) }
  switch (query.type) {
    case 'and':
    case 'or':
      return { ...query, value: query.value.map((part) => withStrings(part, next)) }
    case 'not':
      return { ...query, value: withStrings(query.value, next) }
    case 'keyword':
      return { ...query, query: sameTerms(query.query) }
    default:
      return query
  }
}

/** Whether a string is neither a number nor a time, so that it is a value of a string property. */
const isFree = (value: unknown): boolean => typeof value === 'string' && !/^-?[0-9]/.test(value)

const literals = new Set([
  "''",
  "' '",
  "','",
  "'UTF8'",
  "'hex'",
  `'T'`,
  `'Z'`,
  ...Object.values(changeRows).map((kind) => `'${kind}'`),
])
const words =
  /^(?:select|from|where|and|or|not|is|null|true|false|order|by|asc|desc|nulls|first|last|limit|offset|union|all|distinct|cross|left|join|lateral|on|as|case|when|then|else|end|any|exists|filter|over|rows|unbounded|preceding|window|count|sum|array_agg|string_agg|concat|coalesce|octet_length|row_number|lead|unnest|strpos|array_to_string|array_to_tsvector|array_remove|to_json|encode|convert_to|replace|collate|text|integer|bigint|boolean|numeric|date|timestamp|tsquery|double|precision|k|m|p|pk|version|version_from|version_to|floor|live|revision|revision_tag|largest|tag|object_type|scalars|others|head|bytes|place|nth|hit|stretch|found|written|first_head|body|scanned|matched|sides|arms|alive|is_end|page|gathered|checked|framed|given|held|one|value|seen|kept|reached|clock|commits|checksum|epoch|floor_epoch|greatest|changes_from|version_before|deleted|created|changed|materialized|with|kind|other|s|d|C|p\d+(?:_start)?|(?:key|last|read)_\d+|ctid|tid|generate_series|checked|placed|wanted|grouped|groups|objects|read|all_read|all_alive|group|min|max|mod|div|nullif|extract|year|month|make_timestamp|date_bin|interval|[gmn]\d+|least|between|floor_at|began_at|ended_at|committed_at|ranked|key|keys|t\d+_(?:current|history|changes)|l|array|linked_\d+|stale|gone|held|octavo_example)$/

/** Checks that every word and literal of a statement is one of ours or a name of the catalog. */
function checkWords(text: string, { columns }: ObjectType): void {
  for (const [literal] of text.matchAll(/'[^']*'/g)) {
    expect(literals.has(literal), `the literal ${literal} in ${text}`)
  }
  const bare = text.replaceAll(/'[^']*'/g, ' ').replaceAll(/\$\d+/g, ' ')
  for (const [word] of bare.matchAll(/[A-Za-z_][A-Za-z_0-9]*/g)) {
    expect(words.test(word), `the word ${word} in ${text}`)
    const column = /^p(\d+)/.exec(word)?.[1]
    expect(column === undefined || Number(column) <= columns.length, `the column ${word} in ${text}`)
  }
  expect(!/;|--|\/\*/.test(bare), `a comment or a second statement in ${text}`)
}
