// Links of a collection that does not change: the answers to requests through a link are compared with plain searches of both types.
import { linkTypesSchema, type LinkPair } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { Case } from './case.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { demandSameData } from './same-data.ts'
import {
  keyText,
  knownLink,
  linkQuery,
  linksOf,
  readPairs,
  sourcesFilter,
  type KnownLink,
} from '../subject/follow-link.ts'
import {
  changesRequest,
  getRequest,
  objectTypePath,
  postRequest,
  queryOf,
  partitionsRequest,
  type Filter,
} from '../subject/page-request.ts'
import { sizesOf } from '../subject/read-page.ts'
import { difference, readWalk } from '../subject/read-walk.ts'
import { requireChanges } from '../subject/read-changes.ts'
import { requirePartitions } from '../subject/partition.ts'
import { askForPage, keyOf, type Subject } from '../subject/subject.ts'
import { isPage, type WireRecord } from '../subject/wire-page.ts'
import { requireSnapshotTokens, takeSnapshot } from '../subject/take-snapshot.ts'

const noSuchLink = 'octavoConformanceNone'

const isLinks = Compile(linkTypesSchema)

export const linkCases: readonly Case[] = [
  {
    clause: 'P329',
    title: 'an object type shows its links, and the other type shows each of them from its side',
    revision: '2.0',
    run: async (subject) => {
      const { collection, send } = subject
      for (const link of linksOf(subject)) {
        const exchange = await send({
          method: 'GET',
          path: objectTypePath({ ...collection, objectType: link.objectType }),
          headers: {},
        })
        const { links } = (exchange.body ?? {}) as { readonly links?: unknown }
        demand(isLinks.Check(links), {
          clause: 'P329',
          expected: 'by its name, objectType, cardinality and reverse of each link',
          found: shown(links),
          exchange,
        })
        const back = links[link.reverse]
        const isHeldOnce =
          (link.foreignKeyProperty === undefined) !== (back?.foreignKeyProperty === undefined)
        const isBack =
          back?.objectType === collection.objectType && back.reverse === link.apiName && isHeldOnce
        demand(isBack, {
          clause: 'P329',
          expected: `at ${link.objectType} a link ${link.reverse} back to ${collection.objectType}, and foreignKeyProperty at one of the two`,
          found: shown(back),
          exchange,
        })
      }
    },
  },
  {
    clause: 'P321',
    title: 'linked matches the objects whose link leads to one that matches, and none else',
    revision: '2.0',
    run: (subject) =>
      forEachLink(subject, async (known) => {
        const { pairs, target } = known
        const targets = [...new Set(pairs.map((pair) => pair.target))]
        const chosen = new Set(targets.filter((_, i) => i % 2 === 0))
        const filter = keysFilter(target, chosen)
        const found = pairs.filter((pair) => chosen.has(pair.target))
        await demandSources(subject, known, { clause: 'P321', filter, pairs: found })
      }),
  },
  {
    clause: 'P321',
    title: 'a link that the type does not have is refused',
    revision: '2.0',
    run: async (subject) => {
      linksOf(subject)
      const { collection, send } = subject
      const refused = { clause: 'P321', name: 'LinkTypeNotFound', because: 'there is no such link' } as const
      const extra = { query: linkQuery(noSuchLink) }
      demandRefusal(await askForPage(subject, { pageSize: 2 }, { extra }), refused)
      for (const how of ['search', 'pairs']) {
        const path = `${objectTypePath(collection)}/links/${noSuchLink}/${how}`
        demandRefusal(await send(postRequest(path, { query: { type: 'empty' } })), refused)
      }
    },
  },
  {
    clause: 'P323',
    title: 'a link leads to objects that can be read, and no other key is shown',
    revision: '2.0',
    run: (subject) =>
      forEachLink(subject, async (known) => {
        await demandSources(subject, known, { clause: 'P323', pairs: known.pairs })
        const answered = await readPairs(subject, 'P328', {
          link: known.link.apiName,
          filter: sourcesFilter(subject, known),
        })
        const readable = new Set(known.pairs.map((pair) => pair.target))
        const hidden = answered.pairs.find((pair) => !readable.has(pair.target))
        demand(hidden === undefined, {
          clause: 'P323',
          expected: `no pair with an object of ${known.link.objectType} that a search does not find`,
          found: shown(hidden),
          exchange: answered.last,
        })
      }),
  },
  {
    clause: 'P325',
    title: 'requests for changes and for parts refuse to follow links',
    revision: '2.0',
    run: async (subject) => {
      const [link] = linksOf(subject)
      await requireSnapshotTokens(subject)
      await requirePartitions(subject)
      await requireChanges(subject)
      const { collection, send } = subject
      const { token: since } = await takeSnapshot(subject, 'P241')
      const query = linkQuery(link?.apiName ?? '')
      const { body = '{}' } = changesRequest(collection, { since })
      for (const request of [
        partitionsRequest(collection, { partitionCount: 2 }, { query }),
        postRequest(`${objectTypePath(collection)}/changes`, { ...(JSON.parse(body) as object), query }),
      ]) {
        demandRefusal(await send(request), {
          clause: 'P325',
          name: 'LinkedQueryNotSupported',
          because: 'an object enters the result of such a query without being changed itself',
        })
      }
    },
  },
  {
    clause: 'P431',
    title: 'the objects that one object is linked to are those of its pairs, each once',
    revision: '2.0',
    run: (subject) =>
      forEachLink(subject, async ({ link, pairs }) => {
        const { collection, send } = subject
        for (const source of [...new Set(pairs.map((pair) => pair.source))].slice(0, 3)) {
          const object = `${objectTypePath(collection)}/objects/${encodeURIComponent(source)}`
          const path = `${object}/links/${encodeURIComponent(link.apiName)}?pageSize=${sizesOf('2.0').maximum}`
          const exchange = await send(getRequest(path))
          const { body } = exchange
          demand(exchange.status === 200 && isPage(body), {
            clause: 'P431',
            expected: '200 and a page of objects',
            exchange,
          })
          const targets = pairs.filter((pair) => pair.source === source).map((pair) => pair.target)
          const found = difference(
            body.data.map((record) => String((record as WireRecord)['primaryKey'])).toSorted(),
            [...new Set(targets)].toSorted(),
          )
          demand(found === undefined, {
            clause: 'P431',
            expected: `the ${targets.length} objects that ${link.apiName} leads to from ${source}`,
            found,
            exchange,
          })
        }
      }),
  },
  {
    clause: 'P327',
    title: 'a search around has each object that the links lead to once, as a search by the reverse link',
    revision: '2.0',
    run: (subject) =>
      forEachLink(subject, async (known) => {
        const { link, target, pairs } = known
        const filter = sourcesFilter(subject, known)
        const around: Subject = {
          ...target,
          collection: { ...subject.collection, through: { link: link.apiName } },
        }
        const keys = new Set(pairs.map((pair) => pair.target))
        const keyOrder = [{ property: target.type.key.name, direction: 'asc' }] as const
        const ask = { snapshot: true, orderBy: keyOrder }
        const back = await readWalk(target, {
          clause: 'P321',
          ask,
          extra: { query: { type: 'linked', link: link.reverse, query: queryOf(filter) } },
          pageSizes: [sizesOf('2.0').maximum],
        })
        const walk = await readWalk(around, {
          clause: 'P327',
          ask: { ...ask, filter },
          pageSizes: [Math.max(2, Math.floor(keys.size / 4))],
        })
        const linked = walk.records.map((record) => keyText(target, record))
        const found = difference(linked.toSorted(), [...keys].toSorted())
        demand(found === undefined, {
          clause: 'P327',
          expected: `the ${keys.size} objects that ${link.apiName} leads to, each once`,
          found,
          exchange: walk.last,
        })
        demandSameData(target, {
          clause: 'P327',
          walk,
          as: back,
          expected: `the data of a search by ${link.reverse}`,
        })
      }),
  },
  {
    clause: 'P328',
    title:
      'the pairs are in the order of the objects that hold the keys, each once, and all of one on one page',
    revision: '2.0',
    run: (subject) =>
      forEachLink(subject, async (known) => {
        const { link, isHeldHere, pairs } = known
        const holderOf = (pair: LinkPair) => (isHeldHere ? pair.source : pair.target)
        const textOf = ({ source, target }: LinkPair) => `${source} → ${target}`
        for (const pageSize of [1, 3, sizesOf('2.0').maximum]) {
          const filter = sourcesFilter(subject, known)
          const read = await readPairs(subject, 'P328', { link: link.apiName, filter, pageSize })
          const found = difference(read.pairs.map(textOf), pairs.map(textOf))
          demand(found === undefined, {
            clause: 'P328',
            expected: `the ${pairs.length} pairs of ${link.apiName}, each once and in order`,
            found,
            exchange: read.last,
          })
          const wrong = read.pages.findIndex((page, i) => {
            const holders = new Set(page.map(holderOf))
            const isTooLong = page.length > pageSize && holders.size > 1
            return (
              isTooLong ||
              read.pages.some((other, j) => i < j && other.some((pair) => holders.has(holderOf(pair))))
            )
          })
          demand(wrong === -1, {
            clause: 'P328',
            expected: `all pairs of an object on one page, and more than ${pageSize} only if they are of one object`,
            found: shown(read.pages.slice(wrong, wrong + 2)),
            exchange: read.last,
          })
        }
      }),
  },
]

async function forEachLink(subject: Subject, work: (known: KnownLink) => Promise<void>): Promise<void> {
  for (const link of linksOf(subject)) await work(await knownLink(subject, link))
}

function keysFilter(target: Subject, keys: ReadonlySet<string>): Filter {
  const { scalar, name } = target.type.key
  const values = [...keys].map((key) => (scalar === 'integer' ? Number(key) : key))
  return { kind: 'anyOf', property: name, values }
}

interface Demanded {
  readonly clause: string
  readonly filter?: Filter
  /** The pairs whose sources must be found. */
  readonly pairs: readonly LinkPair[]
}

/** Demands that `linked` finds exactly the sources of the pairs, among those that are known. */
async function demandSources(
  subject: Subject,
  known: KnownLink,
  { clause, filter, pairs }: Demanded,
): Promise<void> {
  const { link, sources } = known
  const walk = await readWalk(subject, {
    clause: 'P321',
    ask: { snapshot: true, orderBy: [{ property: subject.type.key.name, direction: 'asc' }] },
    extra: {
      query: {
        type: 'and',
        value: [queryOf(sourcesFilter(subject, known)), linkQuery(link.apiName, filter)],
      },
    },
    pageSizes: [sizesOf('2.0').maximum],
  })
  const wanted = new Set(pairs.map((pair) => pair.source))
  const expected = sources.map((source) => keyText(subject, source)).filter((key) => wanted.has(key))
  const found = walk.records.map((record) => String(keyOf(subject, record)))
  const wrong = difference(found.toSorted(), expected.toSorted())
  demand(wrong === undefined, {
    clause,
    expected: `the ${expected.length} of ${sources.length} objects whose link ${link.apiName} leads to ${filter === undefined ? 'an object' : 'one of the chosen objects'}`,
    found: wrong,
    exchange: walk.last,
  })
}
