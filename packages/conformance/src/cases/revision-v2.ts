// Revision v2: names, records, pages, metadata and counts.
import { demand, shown } from '../clauses/clause-failure.ts'
import { getRequest, postRequest } from '../subject/page-request.ts'
import { keyOf, type Subject } from '../subject/subject.ts'
import {
  baseSet,
  checkedRecord,
  demandKeys,
  loadPage,
  loadWalk,
  setOfKeys,
  spreadKeys,
  v2PageOf,
  v2Path,
  v2TypePath,
} from '../subject/v2-page.ts'
import { isObject } from '../subject/wire-page.ts'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'

const revision = 'v2'

export const revisionV2Cases: readonly Case[] = [
  {
    clause: 'P330',
    title: 'an ontology is named by its rid or by its API name',
    revision,
    run: async (subject) => {
      const described = await subject.send(getRequest(v2Path(subject.collection)))
      const { body } = described
      demand(
        described.status === 200 &&
          isObject(body) &&
          typeof body['rid'] === 'string' &&
          typeof body['apiName'] === 'string',
        { clause: 'P330', expected: 'the ontology with its rid and apiName', exchange: described },
      )
      const pages = []
      for (const ontology of [body['rid'], body['apiName']]) {
        const collection = { ...subject.collection, ontology }
        pages.push(await loadPage({ ...subject, collection }, 'P330', { pageSize: 3 }))
      }
      demand(JSON.stringify(pages[0]?.records) === JSON.stringify(pages[1]?.records), {
        clause: 'P330',
        expected: 'the same objects by either name',
        exchange: pages[1]?.exchange,
      })
    },
  },
  {
    clause: 'P330',
    title: 'parameters that clients send along mean nothing, and another branch is refused',
    revision,
    run: async (subject) => {
      const path = v2TypePath(subject.collection)
      const along = 'preview=true&sdkPackageRid=ri.x&sdkVersion=1.0.0&executeInMemoryOnly=false&branch=main'
      v2PageOf(subject, 'P330', await subject.send(getRequest(`${path}?pageSize=1&${along}`)))
      demandRefusal(await subject.send(getRequest(`${path}?pageSize=1&branch=other`)), {
        clause: 'P330',
        name: 'InvalidParameterValue',
        parameters: { parameterId: 'branch' },
        because: 'there are no branches',
      })
    },
  },
  {
    clause: 'P333',
    title: 'nothing selected means everything, and a selection is what is returned',
    revision,
    run: async (subject) => {
      const { key } = subject.type
      const one = { objectSet: setOfKeys(subject, spreadKeys(subject, 1)) }
      const texts = []
      for (const select of [{}, { select: [] }, { selectV2: [] }]) {
        const { records } = await loadPage(subject, 'P333', { ...one, ...select })
        texts.push(JSON.stringify(records))
      }
      const { records, exchange } = await loadPage(subject, 'P333', one)
      demand(new Set([...texts, JSON.stringify(records)]).size === 1, {
        clause: 'P333',
        expected: 'all properties, whether select is empty or absent',
        exchange,
      })
      for (const selection of [
        { select: [key.name] },
        { select: [], selectV2: [{ type: 'property', apiName: key.name }] },
      ]) {
        const page = await loadPage(subject, 'P333', { ...one, ...selection })
        const names = page.records.flatMap(propertyNames)
        demand(names.join() === key.name, {
          clause: 'P333',
          expected: `only the property ${key.name}`,
          found: names.join(', '),
          exchange: page.exchange,
        })
      }
    },
  },
  {
    clause: 'P334',
    title: 'a record is flat, with a key of its type, the name of its type, and a rid unless it is excluded',
    revision,
    run: async (subject) => {
      for (const excludeRid of [false, true]) {
        const { records, exchange } = await loadPage(subject, 'P334', { pageSize: 5, excludeRid })
        for (const record of records) {
          const rid = record['__rid']
          demand(excludeRid ? rid === undefined : typeof rid === 'string' && rid.startsWith('ri.'), {
            clause: 'P334',
            expected: excludeRid ? 'no __rid, which the request excludes' : '__rid as a string',
            found: shown(rid),
            exchange,
          })
          demand(!Object.values(record).includes(null), {
            clause: 'P334',
            expected: 'only properties that have a value',
            exchange,
          })
        }
      }
    },
  },
  {
    clause: 'P335',
    title: 'a walk returns every object once and ends without a token, also if the last page is full',
    revision,
    run: async (subject) => {
      const keys = spreadKeys(subject, 6)
      const objectSet = setOfKeys(subject, keys)
      for (const pageSize of [6, 3, 2, 1, 4]) {
        for (const snapshot of [true, false]) {
          const walk = await loadWalk(subject, 'P335', { objectSet, pageSize, snapshot })
          demandKeys(walk, keys, { clause: 'P335', what: `the objects in pages of ${pageSize}` })
        }
      }
      if (!subject.isWhole) return
      const all = await loadWalk(subject, 'P335', { pageSize: 7, snapshot: true })
      demandKeys(all, allKeys(subject), { clause: 'P335', what: 'all objects of the type' })
    },
  },
  {
    clause: 'P335',
    title: 'list, search and get return the same records as a set',
    revision,
    run: async (subject) => {
      const { collection, send, type } = subject
      const [key = ''] = spreadKeys(subject, 1)
      const where = { type: 'eq', field: type.key.name, value: key }
      const found = await loadPage(subject, 'P335', { objectSet: setOfKeys(subject, [key]) })
      const searched = v2PageOf(
        subject,
        'P335',
        await send(postRequest(v2TypePath(collection, '/search'), { where })),
      )
      const exchange = await send(getRequest(v2TypePath(collection, `/${encodeURIComponent(String(key))}`)))
      demand(exchange.status === 200, { clause: 'P335', expected: 'the object', exchange })
      const got = checkedRecord(subject, exchange.body, exchange)
      const texts = [found.records, searched.records, [got]].map((records) => JSON.stringify(records))
      demand(new Set(texts).size === 1, { clause: 'P335', expected: `the record ${texts[0]}`, exchange })
      const listed = v2PageOf(subject, 'P335', await send(getRequest(`${v2TypePath(collection)}?pageSize=3`)))
      const loaded = await loadPage(subject, 'P335', { pageSize: 3 })
      demand(JSON.stringify(listed.records) === JSON.stringify(loaded.records), {
        clause: 'P335',
        expected: 'a list to begin with the same objects as the set of all',
        exchange: listed.exchange,
      })
    },
  },
  {
    clause: 'P336',
    title: 'every page has the total, the last one too',
    revision,
    run: async (subject) => {
      const keys = spreadKeys(subject, 5)
      const objectSet = setOfKeys(subject, keys)
      let pageToken: string | undefined
      do {
        const page = await loadPage(subject, 'P336', { objectSet, pageSize: 2, pageToken })
        demandTotal(page, keys.length)
        pageToken = page.nextPageToken
      } while (pageToken !== undefined)
      if (subject.isWhole)
        demandTotal(await loadPage(subject, 'P336', { pageSize: 1 }), subject.sample.length)
    },
  },
  {
    clause: 'P338',
    title: 'the metadata of the ontology and of the type say the same',
    revision,
    run: async ({ collection, send, type }) => {
      const ofType = await send(
        getRequest(
          v2Path(collection, `/objectTypes/${encodeURIComponent(collection.objectType)}/fullMetadata`),
        ),
      )
      const whole = await send(getRequest(v2Path(collection, '/fullMetadata')))
      const { body } = ofType
      const objectType = isObject(body) && isObject(body['objectType']) ? body['objectType'] : {}
      const properties = isObject(objectType['properties']) ? objectType['properties'] : {}
      demand(objectType['primaryKey'] === type.key.name && Object.hasOwn(properties, type.key.name), {
        clause: 'P338',
        expected: `the primary key ${type.key.name} among the properties of the type`,
        exchange: ofType,
      })
      const expected = ['icon', 'titleProperty', 'rid', 'displayName', 'pluralDisplayName', 'status']
      const missing = expected.filter((name) => !Object.hasOwn(objectType, name))
      const lists = [
        'linkTypes',
        'implementsInterfaces',
        'implementsInterfaces2',
        'sharedPropertyTypeMapping',
      ]
      missing.push(...lists.filter((name) => isObject(body) && !Object.hasOwn(body, name)))
      demand(missing.length === 0, {
        clause: 'P338',
        expected: 'every member that clients look for',
        found: `no ${missing.join(', ')}`,
        exchange: ofType,
      })
      const types =
        isObject(whole.body) && isObject(whole.body['objectTypes']) ? whole.body['objectTypes'] : {}
      demand(JSON.stringify(types[collection.objectType]) === JSON.stringify(body), {
        clause: 'P338',
        expected: `objectTypes.${collection.objectType} to be the fullMetadata of the type`,
        exchange: whole,
      })
    },
  },
  {
    clause: 'P339',
    title: 'counts are exact',
    revision,
    run: async (subject) => {
      const { collection, send, isWhole, sample } = subject
      const counted = await send({ method: 'POST', path: v2TypePath(collection, '/count'), headers: {} })
      const count = isObject(counted.body) ? counted.body['count'] : undefined
      demand(counted.status === 200 && typeof count === 'number' && (!isWhole || count === sample.length), {
        clause: 'P339',
        expected: isWhole ? `count ${sample.length}` : 'count as a number',
        exchange: counted,
      })
      const keys = spreadKeys(subject, 4)
      const aggregation = [{ type: 'count', name: 'n' }]
      for (const [objectSet, value] of [
        [baseSet(collection), count],
        [setOfKeys(subject, keys), keys.length],
      ] as const) {
        const exchange = await send(
          postRequest(v2Path(collection, '/objectSets/aggregate'), { objectSet, aggregation, groupBy: [] }),
        )
        const { body } = exchange
        const data = isObject(body) ? JSON.stringify(body['data']) : ''
        demand(data === JSON.stringify([{ group: {}, metrics: [{ name: 'n', value }] }]), {
          clause: 'P339',
          expected: `one group with the metric n of ${value}`,
          exchange,
        })
      }
    },
  },
]

const propertyNames = (record: object): readonly string[] =>
  Object.keys(record).filter((name) => !name.startsWith('__'))

const allKeys = (subject: Subject) => subject.sample.map((record) => keyOf(subject, record))

function demandTotal({ totalCount, exchange }: Awaited<ReturnType<typeof loadPage>>, expected: number): void {
  demand(totalCount === String(expected), {
    clause: 'P336',
    expected: `totalCount "${expected}"`,
    found: shown(totalCount),
    exchange,
  })
}
