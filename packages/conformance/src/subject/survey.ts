// Examines the server before the first case: which properties the type has and allows, and some of its objects.
import { linkTypesSchema, pageSizes, searchableObjectTypeSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { Exchange } from '../exchange/exchange.ts'
import type { Send } from '../exchange/send.ts'
import type { Sockets } from '../exchange/sockets.ts'
import type { Writer } from '../writer/writer.ts'
import { scalarTypeOf, type KnownProperty, type KnownType } from './known-type.ts'
import type { Collection } from '../exchange/collection.ts'
import { getRequest, objectTypePath, objectTypesPath, pageRequest } from './page-request.ts'
import { askForPage, type Gifts, type Subject } from './subject.ts'
import { surveyV2 } from './survey-v2.ts'
import { loadRequest } from './v2-page.ts'
import { isObject, isPage, isRecord, type WireRecord } from './wire-page.ts'

/** The kit cannot start; the message says what to do. */
export class SurveyFailed extends Error {}

export interface Surveyed {
  readonly collection: Collection
  readonly send: Send
  readonly sockets: Sockets
  readonly writer: Writer | undefined
  readonly gifts: Gifts
}

const leastObjects = 25
const sampleSize = 1_000
const mostProbes = 40

export async function survey({ collection, send, sockets, writer, gifts }: Surveyed): Promise<Subject> {
  const asked = { collection, send }
  if (gifts.otherToken !== undefined) await requireReader(asked, gifts.otherToken)
  if (collection.revision === 'v2') {
    const surveyed = await surveyV2(asked, failure)
    requireObjects(collection, surveyed.sample)
    return { ...gifts, ...asked, sockets, writer, ...surveyed }
  }
  const described = await describedType(asked)
  const { records, isWhole } = await readSample(asked)
  requireObjects(collection, records)
  const type = collection.revision === '1.0' ? await withAllowances(asked, described) : described
  if (records.some(({ properties }) => properties[type.key.name] === undefined)) {
    throw new SurveyFailed(
      `An object of ${collection.objectType} came without its primary key ${type.key.name}; without it the objects cannot be distinguished.`,
    )
  }
  return {
    ...gifts,
    ...asked,
    sockets,
    writer,
    type,
    sample: records,
    isWhole,
    otherType: await otherType(asked),
  }
}

/** Otherwise every refusal of this caller would be taken for a broken clause. */
async function requireReader({ collection, send }: Asked, token: string): Promise<void> {
  const first =
    collection.revision === 'v2'
      ? loadRequest(collection, { pageSize: 1 })
      : pageRequest(collection, { pageSize: 1 })
  const { sent, status, text } = await send(first, { token })
  if (status === 200) return
  throw new SurveyFailed(
    `The caller of --other-token may not read ${collection.objectType}: ${sent.method} ${sent.path} was answered ${status} ${text.slice(0, 300)}\nGive that caller a grant to read it, or leave out --other-token.`,
  )
}

function requireObjects({ objectType }: Collection, records: readonly WireRecord[]): void {
  if (records.length >= leastObjects) return
  throw new SurveyFailed(
    `${objectType} has ${records.length} objects; the kit needs at least ${leastObjects}: name a larger type with --type.`,
  )
}

type Asked = Pick<Subject, 'collection' | 'send'>

const failure = (what: string, { sent, status, text }: Exchange): SurveyFailed =>
  new SurveyFailed(
    `${what}: ${sent.method} ${sent.path} was answered ${status} ${text.slice(0, 300)}\nCheck --ontology, --type, --revision and --token.`,
  )

const isOrders = Compile(searchableObjectTypeSchema.properties.orders)
const isLinks = Compile(linkTypesSchema)

async function describedType({ collection, send }: Asked): Promise<KnownType> {
  const exchange = await send(getRequest(objectTypePath(collection)))
  const { body } = exchange
  const declared = isObject(body) && isObject(body['properties']) ? body['properties'] : undefined
  if (exchange.status !== 200 || declared === undefined || !isObject(body)) {
    throw failure('The object type could not be read', exchange)
  }
  const properties = Object.entries(declared).map(([name, property]): KnownProperty => {
    const fields = isObject(property) ? property : {}
    return {
      name,
      scalar: scalarTypeOf(fields['baseType'] ?? fields['type']),
      sortable: fields['sortable'] === true,
      searchable: fields['searchable'] === true,
    }
  })
  const keyName: unknown = [body['primaryKey']].flat()[0]
  const key = properties.find(({ name }) => name === keyName)
  if (key?.scalar === undefined) throw failure('The object type names no primary key', exchange)
  const orders = isOrders.Check(body['orders'])
    ? body['orders'].map(({ fields }) =>
        fields.map(({ field, direction }) => ({ property: field, direction })),
      )
    : []
  const links = isLinks.Check(body['links'])
    ? Object.entries(body['links']).map(([apiName, link]) => ({ apiName, ...link }))
    : []
  return { key: { ...key, scalar: key.scalar, sortable: true, searchable: true }, properties, orders, links }
}

/** What the kit knows of the type that a link leads to, which may be small or empty. */
export async function surveyOther(subject: Subject, objectType: string): Promise<Subject> {
  const asked = { collection: { ...subject.collection, objectType }, send: subject.send }
  const { records, isWhole } = await readSample(asked)
  return { ...subject, ...asked, type: await describedType(asked), sample: records, isWhole }
}

/** A broken page must not end the survey: the cases will report it. */
async function readSample(asked: Asked): Promise<{ records: readonly WireRecord[]; isWhole: boolean }> {
  const records: WireRecord[] = []
  let pageToken: string | undefined
  const sizes = asked.collection.revision === '1.0' ? pageSizes.listObjects : pageSizes.search
  for (let pages = 0; pages < 20 && records.length < sampleSize; pages += 1) {
    const exchange = await askForPage(asked, { pageSize: sizes.maximum, ...(pageToken && { pageToken }) })
    const { body } = exchange
    if (exchange.status !== 200 || !isPage(body)) throw failure('The first page could not be read', exchange)
    records.push(...body.data.filter(isRecord))
    const next = 'nextPageToken' in body ? body.nextPageToken : undefined
    if (typeof next !== 'string' || next === '' || body.data.length === 0) {
      return { records: records.slice(0, sampleSize), isWhole: records.length <= sampleSize }
    }
    pageToken = next
  }
  return { records: records.slice(0, sampleSize), isWhole: false }
}

/** Revision 1.0 does not report what can be sorted and filtered, so each property is tried. */
async function withAllowances(asked: Asked, type: KnownType): Promise<KnownType> {
  const isAllowed = async (ask: Parameters<typeof askForPage>[1]) =>
    (await askForPage(asked, { pageSize: 1, ...ask })).status === 200
  const properties: KnownProperty[] = []
  for (const [index, property] of type.properties.entries()) {
    const { name, scalar } = property
    if (scalar === undefined || index >= mostProbes) {
      properties.push(property)
      continue
    }
    properties.push({
      ...property,
      sortable: await isAllowed({ orderBy: [{ property: name, direction: 'asc' }] }),
      searchable: await isAllowed({ filter: { kind: 'isNull', property: name, value: false } }),
    })
  }
  return { ...type, properties }
}

async function otherType({ collection, send }: Asked): Promise<string | undefined> {
  const { body } = await send(getRequest(`${objectTypesPath(collection)}?pageSize=2`))
  if (!isPage(body)) return undefined
  const names = body.data.map((item) => (isObject(item) ? item['apiName'] : undefined))
  return names.find((name): name is string => typeof name === 'string' && name !== collection.objectType)
}
