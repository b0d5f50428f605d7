// What only revision 2.0 has: its body, its record shape, and no limit.
import { limits, type ScalarValue } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand, shown, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { filterFor, spreadObjects } from '../subject/chosen-objects.ts'
import { checksumOf } from '../subject/content-checksum.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { otherScalars } from '../subject/known-type.ts'
import {
  collectionPath,
  getRequest,
  objectTypePath,
  objectTypesPath,
  pageRequest,
  postRequest,
} from '../subject/page-request.ts'
import { checkedToken, pageOf, readPage } from '../subject/read-page.ts'
import { difference, keysOf, readWalk } from '../subject/read-walk.ts'
import { keyOf } from '../subject/subject.ts'
import { isObject, isPage } from '../subject/wire-page.ts'
import { tokenOf } from './page-tokens.ts'
import { demandOnlySelected } from './selection.ts'

const revision = '2.0'

export const revision2Cases: readonly Case[] = [
  {
    clause: 'P430',
    title: 'one object is read by its primary key as a search returns it, or refused as not found',
    revision,
    run: async (subject) => {
      const { collection, send } = subject
      const pathOf = (key: ScalarValue) =>
        `${objectTypePath(collection)}/objects/${encodeURIComponent(String(key))}`
      for (const record of spreadObjects(subject, 3)) {
        const exchange = await send(getRequest(pathOf(keyOf(subject, record))))
        const { checksum, ...object } = isObject(exchange.body) ? exchange.body : {}
        demand(JSON.stringify(object) === JSON.stringify(record), {
          clause: 'P430',
          expected: 'the record as it is in a search',
          exchange,
        })
        demand(checksum === checksumOf([record]), {
          clause: 'P430',
          expected: 'the hash of the object as checksum',
          found: shown(checksum),
          exchange,
        })
      }
      demandRefusal(await send(getRequest(pathOf(await unusedKey(subject)))), {
        clause: 'P430',
        name: 'ObjectNotFound',
        because: 'no object has this primary key',
      })
    },
  },
  {
    clause: 'P75',
    title: 'an unknown API family is refused',
    revision,
    run: async (subject) => {
      const collection = { ...subject.collection, ontology: 'octavo-conformance-none' }
      demandRefusal(await subject.send(pageRequest(collection, {})), {
        clause: 'P75',
        name: 'ApiFamilyNotFound',
        because: 'no ontology is bound to this API family',
      })
    },
  },
  {
    clause: 'P76',
    title: 'a search needs a query, and takes a body of its shape only',
    revision,
    run: async (subject) => {
      const path = collectionPath(subject.collection)
      for (const body of [
        {},
        { query: {} },
        { query: { type: 'none' } },
        { query: { type: 'empty' }, select: 'x' },
      ]) {
        demandRefusal(await subject.send(postRequest(path, body)), {
          clause: 'P76',
          name: 'Conjure:UnprocessableEntity',
          because: 'the body does not have the shape of a search',
        })
      }
      const exchange = await subject.send(postRequest(path, { query: { type: 'empty' } }))
      demand(exchange.status === 200, { clause: 'P76', expected: 'a page', exchange })
    },
  },
  {
    clause: 'P180',
    title: 'a field of the body that is null counts as absent, on the first page and on the next',
    revision,
    run: async (subject) => {
      const first = { pageSize: 2 }
      const next = { pageSize: 2, pageToken: await tokenOf(subject, first) }
      for (const ask of [{}, first, next]) {
        const { page } = await readPage(subject, 'P180', ask)
        const nulls = { pageToken: null, pageSize: null, orderBy: null, select: null, snapshot: null }
        const body = { query: { type: 'empty' }, ...nulls, ...ask }
        const exchange = await subject.send(postRequest(collectionPath(subject.collection), body))
        demand(isPage(exchange.body) && JSON.stringify(exchange.body.data) === JSON.stringify(page.data), {
          clause: 'P180',
          expected: 'the page that comes without the fields that are null',
          exchange,
        })
      }
    },
  },
  {
    clause: 'P77',
    title: 'the token of a POST is in the body, that of a GET in the query string',
    revision,
    run: async (subject) => {
      const { collection, send } = subject
      const pageToken = await tokenOf(subject)
      const request = pageRequest(collection, { pageSize: 2 })
      demandRefusal(await send({ ...request, path: `${request.path}?pageToken=${pageToken}` }), {
        clause: 'P77',
        name: 'UnknownParameter',
        because: 'the page token of a POST is in the body',
      })
      const path = `${objectTypesPath(collection)}?pageSize=1`
      const first = await send(getRequest(path))
      demand(isPage(first.body), { clause: 'P77', expected: 'a page of object types', exchange: first })
      const { nextPageToken } = checkedToken(first, first.body, revision)
      if (nextPageToken === undefined) return
      const second = await send(getRequest(`${path}&pageToken=${nextPageToken}`))
      demand(second.status === 200 && isPage(second.body), {
        clause: 'P77',
        expected: 'the second page of object types',
        exchange: second,
      })
    },
  },
  {
    clause: 'P78',
    title: 'a record has primaryKey, objectType, properties and perhaps a title',
    revision,
    run: async (subject) => {
      const { page, exchange } = await readPage(subject, 'P78', { pageSize: 20 })
      const wrong = page.data.find(
        (record) =>
          record['primaryKey'] !== String(keyOf(subject, record)) ||
          record['objectType'] !== subject.collection.objectType ||
          !['string', 'undefined'].includes(typeof record['title']),
      )
      demand(wrong === undefined, {
        clause: 'P78',
        expected: `primaryKey as the text of ${subject.type.key.name}, objectType ${subject.collection.objectType}, and title as a string if at all`,
        found: shown(wrong),
        exchange,
      })
    },
  },
  {
    clause: 'P79',
    title: 'a many-valued property is an array, a single-valued one is not',
    revision,
    run: async (subject) => {
      const { page, exchange } = await readPage(subject, 'P79', { pageSize: 50 })
      const scalars = new Set(
        subject.type.properties.filter(({ scalar }) => scalar !== undefined).map(({ name }) => name),
      )
      const wrong = page.data
        .flatMap(({ properties }) => Object.entries(properties))
        .find(([name, value]) => (typeof value === 'object') === scalars.has(name))
      demand(wrong === undefined, {
        clause: 'P79',
        expected: 'scalars as they are, arrays as arrays and structs as objects',
        found: shown(wrong),
        exchange,
      })
    },
  },
  {
    clause: 'P80',
    title: 'a missing direction is ascending',
    revision,
    run: async (subject) => {
      const { name } = subject.type.key
      const body = { query: { type: 'empty' }, pageSize: 10, orderBy: { fields: [{ field: name }] } }
      const exchange = await subject.send(postRequest(collectionPath(subject.collection), body))
      demand(exchange.status === 200, { clause: 'P80', expected: 'a page with status 200', exchange })
      const found = difference(
        keysOf(subject, pageOf(exchange, revision, 10).data),
        keysOf(subject, subject.sample.slice(0, 10)),
      )
      demand(found === undefined, { clause: 'P80', expected: 'ascending order', found, exchange })
    },
  },
  {
    clause: 'P81',
    title: 'select returns the named properties and the primary key',
    revision,
    run: async (subject) => {
      const { key } = subject.type
      const [other] = otherScalars(subject.type)
      for (const select of [[], ...(other === undefined ? [] : [[other.name]])]) {
        const { page, exchange } = await readPage(subject, 'P81', { pageSize: 10, select })
        demandOnlySelected({ clause: 'P81', key: key.name, wanted: select, records: page.data, exchange })
      }
    },
  },
  {
    clause: 'P82',
    title: 'a search continues past 10,000 objects',
    revision,
    run: async (subject) => {
      const most = limits.walk.listObjects
      if (subject.isWhole) skip('needs more than 10,000 objects')
      const { records, isFinished, last } = await readWalk(subject, {
        clause: 'P82',
        pageSizes: [1_000],
        untilObjects: most + 1,
      })
      if (isFinished && records.length < most) skip('needs more than 10,000 objects')
      const keys = new Set(keysOf(subject, records))
      demand(records.length > most && keys.size === records.length, {
        clause: 'P82',
        expected: `more than ${most} different objects`,
        found: `${keys.size}`,
        exchange: { ...last, text: last.text.slice(-500) },
      })
    },
  },
  {
    clause: 'P83',
    title: 'an object type gives the type of each property, and whether it is searchable and sortable',
    revision,
    run: async ({ collection, send }) => {
      const exchange = await send(getRequest(objectTypePath(collection)))
      const { body } = exchange
      const properties =
        isObject(body) && isObject(body['properties']) ? Object.values(body['properties']) : []
      demand(
        properties.length > 0 &&
          properties.every(
            (property) =>
              isObject(property) &&
              property['type'] !== undefined &&
              typeof property['searchable'] === 'boolean' &&
              typeof property['sortable'] === 'boolean',
          ),
        { clause: 'P83', expected: 'type, searchable and sortable of each property', exchange },
      )
    },
  },
  {
    clause: 'P85',
    title: 'the query empty matches every object, and in an empty list none',
    revision,
    run: async (subject) => {
      const chosen = spreadObjects(subject, 3)
      const all = await readPage(subject, 'P85', { pageSize: 5 })
      demand(all.page.data.length > 0, { clause: 'P85', expected: 'objects', exchange: all.exchange })
      const some = await readPage(subject, 'P87', { filter: filterFor(subject, chosen) })
      demand(some.page.data.length === chosen.length, {
        clause: 'P87',
        expected: `the ${chosen.length} objects of the list`,
        exchange: some.exchange,
      })
      const none = await readPage(subject, 'P87', { filter: filterFor(subject, []) })
      demand(none.page.data.length === 0, { clause: 'P87', expected: 'no object', exchange: none.exchange })
    },
  },
]
