// The survey of a server of revision v2: the type as its metadata says, and some of its objects.
import { pageSizes } from '@octavo/protocol'
import type { Exchange } from '../exchange/exchange.ts'
import { scalarTypeOf, type KnownProperty, type KnownType } from './known-type.ts'
import { getRequest } from './page-request.ts'
import type { Subject } from './subject.ts'
import { loadRequest, v2Path } from './v2-page.ts'
import { isObject, isPage, type WireRecord } from './wire-page.ts'

type Asked = Pick<Subject, 'collection' | 'send'>

export type SurveyedV2 = Pick<Subject, 'type' | 'sample' | 'isWhole' | 'otherType'>

/** `fail` ends the survey with what was sent and answered. */
export async function surveyV2(
  { collection, send }: Asked,
  fail: (what: string, exchange: Exchange) => Error,
): Promise<SurveyedV2> {
  const described = await send(
    getRequest(v2Path(collection, `/objectTypes/${encodeURIComponent(collection.objectType)}`)),
  )
  const type = typeIn(described.body)
  if (described.status !== 200 || type === undefined)
    throw fail('The object type could not be read', described)
  const { maximum } = pageSizes.listObjects
  const loaded = await send(loadRequest(collection, { pageSize: maximum }))
  if (loaded.status !== 200 || !isPage(loaded.body)) throw fail('The first page could not be read', loaded)
  const sample = loaded.body.data.filter(isObject).map((record): WireRecord => {
    const properties = Object.entries(record).filter(([name]) => !name.startsWith('__'))
    return { ...record, properties: Object.fromEntries(properties) as WireRecord['properties'] }
  })
  const isWhole = !('nextPageToken' in loaded.body) || sample.length < maximum
  const types = await send(getRequest(v2Path(collection, '/objectTypes?pageSize=2')))
  const names = isPage(types.body)
    ? types.body.data.map((each) => (isObject(each) ? each['apiName'] : undefined))
    : []
  const otherType = names.find((name) => typeof name === 'string' && name !== collection.objectType)
  return { type, sample, isWhole, otherType: typeof otherType === 'string' ? otherType : undefined }
}

function typeIn(body: unknown): KnownType | undefined {
  if (!isObject(body) || !isObject(body['properties'])) return undefined
  const properties = Object.entries(body['properties']).map(([name, property]): KnownProperty => {
    const dataType = isObject(property) && isObject(property['dataType']) ? property['dataType'] : {}
    // The metadata of this revision does not say what may be searched and sorted.
    return { name, scalar: scalarTypeOf(dataType['type']), sortable: false, searchable: false }
  })
  const key = properties.find(({ name }) => name === body['primaryKey'])
  if (key?.scalar === undefined) return undefined
  return {
    key: { ...key, scalar: key.scalar, sortable: true, searchable: true },
    properties,
    orders: [],
    links: [],
  }
}
