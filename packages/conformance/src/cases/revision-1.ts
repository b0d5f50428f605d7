// What only revision 1.0 has: its record shape, its query string, its total.
import { isRid, limits } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { otherScalars } from '../subject/known-type.ts'
import { getRequest, objectPath, objectTypePath, objectTypesPath } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { difference, keysOf } from '../subject/read-walk.ts'
import { keyOf } from '../subject/subject.ts'
import { isObject, isPage } from '../subject/wire-page.ts'
import { list, listed } from './revision-1-list.ts'
import { demandOnlySelected } from './selection.ts'
import { unusedKey } from '../subject/keys-after-all.ts'

const revision = '1.0'

export const revision1Cases: readonly Case[] = [
  {
    clause: 'P58',
    title: 'objects are listed by GET, with the page parameters in the query string',
    revision,
    run: async (subject) => {
      const first = await readPage(subject, 'P58', { pageSize: 3 })
      await readPage(subject, 'P58', { pageSize: 3, pageToken: first.page.nextPageToken })
    },
  },
  {
    clause: 'P59',
    title: 'a record has a rid and scalar properties',
    revision,
    run: async (subject) => {
      const { page, exchange } = await readPage(subject, 'P59', { pageSize: 20 })
      for (const record of page.data) {
        const { rid, properties } = record
        demand(isRid(String(rid)) && isObject(properties), {
          clause: 'P59',
          expected: 'a record with a rid of the form ri.<service>.<instance>.<kind>.<locator> and properties',
          found: shown(record),
          exchange,
        })
        demand(
          Object.values(properties).every((value) => typeof value !== 'object'),
          { clause: 'P59', expected: 'scalar properties only', exchange },
        )
      }
      const rids = new Set(page.data.map(({ rid }) => rid))
      demand(rids.size === page.data.length, {
        clause: 'P57',
        expected: 'a different rid for each',
        exchange,
      })
    },
  },
  {
    clause: 'P60',
    title: 'properties selects what is returned, and the primary key always is',
    revision,
    run: async (subject) => {
      const { key } = subject.type
      const [one, two] = otherScalars(subject.type)
      if (one === undefined) skip('needs a property beside the primary key')
      const wanted = [one.name, ...(two === undefined ? [] : [two.name])]
      for (const parameters of [
        [['properties', wanted.join(',')]],
        wanted.map((name) => ['properties', name]),
      ] as [string, string][][]) {
        const { records, exchange } = await listed(subject, 'P60', parameters)
        demandOnlySelected({ clause: 'P60', key: key.name, wanted, records, exchange })
      }
    },
  },
  {
    clause: 'P61',
    title: 'orderBy takes its short forms, and refuses others by name',
    revision,
    run: async (subject) => {
      const { name } = subject.type.key
      const expected = await listed(subject, 'P61', [['orderBy', `properties.${name}:asc`]])
      for (const text of [`p.${name}:asc`, `properties.${name}`, `p.${name}`]) {
        const { records, exchange } = await listed(subject, 'P61', [['orderBy', text]])
        const found = difference(keysOf(subject, records), keysOf(subject, expected.records))
        demand(found === undefined, { clause: 'P61', expected: 'the same order', found, exchange })
      }
      demandRefusal(await list(subject, [['orderBy', name]]), {
        clause: 'P61',
        name: 'InvalidSortType',
        because: 'the entry does not begin with properties.',
      })
      demandRefusal(await list(subject, [['orderBy', `properties.${name}:up`]]), {
        clause: 'P61',
        name: 'InvalidSortOrder',
        because: 'up is not a direction',
      })
    },
  },
  {
    clause: 'P67',
    title: 'property names in the URL are matched without regard to case',
    revision,
    run: async (subject) => {
      const { name } = subject.type.key
      const upper = await listed(subject, 'P67', [['properties', name.toUpperCase()]])
      demand(
        upper.records.every(({ properties }) => name in properties),
        { clause: 'P67', expected: `${name} as it is declared`, exchange: upper.exchange },
      )
      await listed(subject, 'P67', [['orderBy', `properties.${name.toUpperCase()}:asc`]])
    },
  },
  {
    clause: 'P68',
    title: 'totalCount is the number of objects as a string, on every page',
    revision,
    run: async (subject) => {
      for (const snapshot of [false, true]) {
        const first = await readPage(subject, 'P68', { pageSize: 5, snapshot })
        const pageToken = first.page.nextPageToken
        const second = await readPage(subject, 'P68', { pageSize: 5, snapshot, pageToken })
        for (const { page, exchange } of [first, second]) {
          const total = page.totalCount
          const isExact = !subject.isWhole || total === String(subject.sample.length)
          demand(typeof total === 'string' && /^(0|[1-9][0-9]*)$/.test(total) && isExact, {
            clause: 'P68',
            expected: subject.isWhole
              ? `totalCount "${subject.sample.length}"`
              : 'totalCount as a string of digits',
            found: JSON.stringify(total),
            exchange,
          })
        }
      }
    },
  },
  {
    clause: 'P69',
    title: 'the totalCount of a filtered listing is exact up to 10,000',
    revision,
    run: async (subject) => {
      const filter = filterFor(subject, spreadObjects(subject, 7))
      const first = await readPage(subject, 'P69', { pageSize: 3, filter })
      const second = await readPage(subject, 'P69', {
        pageSize: 3,
        filter,
        pageToken: first.page.nextPageToken,
      })
      for (const { page, exchange } of [first, second]) {
        demand(page.totalCount === '7' && !('totalCountIsLowerBound' in page), {
          clause: 'P69',
          expected: 'totalCount "7" and no totalCountIsLowerBound',
          found: JSON.stringify(page.totalCount),
          exchange,
        })
      }
    },
  },
  {
    clause: 'P69',
    title: 'the totalCount of a filtered listing beyond 10,000 is marked as a bound',
    revision,
    run: async (subject) => {
      const { page, exchange } = await readPage(subject, 'P69', { pageSize: 1 })
      const most = limits.walk.countedMatches
      if (Number(page.totalCount) <= most) skip('needs more than 10,000 objects')
      const filter = { kind: 'isNull', property: subject.type.key.name, value: false } as const
      const filtered = await readPage(subject, 'P69', { pageSize: 1, filter })
      const total = Number(filtered.page.totalCount)
      demand(total <= most && filtered.page['totalCountIsLowerBound'] === true, {
        clause: 'P69',
        expected: `totalCount "${most}" and totalCountIsLowerBound true`,
        found: String(filtered.page.totalCount),
        exchange: filtered.exchange ?? exchange,
      })
    },
  },
  {
    clause: 'P72',
    title: 'ontologies are listed and returned one by one',
    revision,
    run: async ({ send, collection }) => {
      const exchange = await send(getRequest(`/api/v1/ontologies/${encodeURIComponent(collection.ontology)}`))
      const { body } = exchange
      const texts = ['apiName', 'displayName', 'description', 'rid']
      demand(isObject(body) && texts.every((name) => typeof body[name] === 'string'), {
        clause: 'P72',
        expected: `the ontology with ${texts.join(', ')}`,
        exchange,
      })
      const all = await send(getRequest('/api/v1/ontologies'))
      demand(isPage(all.body), { clause: 'P72', expected: 'a page of ontologies', exchange: all })
    },
  },
  {
    clause: 'P411',
    title: 'an ontology is named by its rid or by its API name, also in the middle of a walk',
    revision,
    run: async (subject) => {
      const exchange = await subject.send(
        getRequest(`/api/v1/ontologies/${encodeURIComponent(subject.collection.ontology)}`),
      )
      const { rid, apiName } = isObject(exchange.body) ? exchange.body : {}
      demand(typeof rid === 'string' && typeof apiName === 'string', {
        clause: 'P72',
        expected: 'the ontology with its rid and apiName',
        exchange,
      })
      const [byRid, byName] = [rid, apiName].map((ontology) => ({
        ...subject,
        collection: { ...subject.collection, ontology },
      }))
      if (byRid === undefined || byName === undefined) return
      const first = await readPage(byRid, 'P411', { pageSize: 3 })
      const second = await readPage(byRid, 'P411', { pageSize: 3, pageToken: first.page.nextPageToken })
      const same = await readPage(byName, 'P411', { pageSize: 3 })
      const goneOn = await readPage(byName, 'P411', { pageSize: 3, pageToken: first.page.nextPageToken })
      for (const [named, expected] of [
        [same, first],
        [goneOn, second],
      ] as const) {
        const found = difference(keysOf(subject, named.page.data), keysOf(subject, expected.page.data))
        demand(found === undefined, {
          clause: 'P411',
          expected: 'the same objects by either name',
          found,
          exchange: named.exchange,
        })
      }
    },
  },
  {
    clause: 'P73',
    title: 'object types are listed and returned one by one, with the base type of each property',
    revision,
    run: async ({ send, collection }) => {
      const exchange = await send(getRequest(objectTypePath(collection)))
      const { body } = exchange
      const properties =
        isObject(body) && isObject(body['properties']) ? Object.values(body['properties']) : []
      demand(
        properties.length > 0 &&
          properties.every((property) => isObject(property) && typeof property['baseType'] === 'string'),
        { clause: 'P73', expected: 'a baseType for each property', exchange },
      )
      const all = await send(getRequest(objectTypesPath(collection)))
      demand(isPage(all.body) && all.body.data.length > 0, {
        clause: 'P73',
        expected: 'a page of object types',
        exchange: all,
      })
    },
  },
  {
    clause: 'P74',
    title: 'one object is returned by its primary key, or refused as not found',
    revision,
    run: async (subject) => {
      const [record] = spreadObjects(subject, 3).slice(1)
      if (record === undefined) return
      const { collection, send } = subject
      const exchange = await send(getRequest(objectPath(collection, keyOf(subject, record))))
      demand(JSON.stringify(exchange.body) === JSON.stringify(record), {
        clause: 'P74',
        expected: 'the record as it is in the list',
        exchange,
      })
      demandRefusal(await send(getRequest(objectPath(collection, await unusedKey(subject)))), {
        clause: 'P74',
        name: 'ObjectNotFound',
        because: 'no object has this primary key',
      })
    },
  },
]
