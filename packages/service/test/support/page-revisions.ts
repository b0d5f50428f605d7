// Both revisions of a page request behind one interface, so that one suite tests the rules they share.
import { pageSizes, type PageSizes, type Query } from '@octavo/protocol'
import type { OrderByKey } from '../../src/read/request/page-request.ts'

/** The collection, as each revision names it. */
export interface Collection {
  readonly ontologyRid: string
  readonly apiFamily: string
  readonly objectType: string
}

/** A request for a page; every value is sent unchanged. */
export interface PageAsk {
  readonly pageSize?: number | string | undefined
  readonly pageToken?: string | undefined
  readonly snapshot?: boolean | undefined
  readonly snapshotToken?: string | undefined
  readonly orderBy?: readonly OrderByKey[] | undefined
  readonly select?: readonly string[] | undefined
}

interface PageCall {
  readonly path: string
  readonly init: JsonRequest
}

/** In the form that fetch takes, and simple enough to be sent by other means. */
export interface JsonRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Revision {
  readonly name: '1.0' | '2.0'
  readonly endpoint: 'listObjects' | 'searchObjects'
  readonly sizes: PageSizes
  readonly call: (collection: Collection, ask: PageAsk) => PageCall
}

const revision1: Revision = {
  name: '1.0',
  endpoint: 'listObjects',
  sizes: pageSizes.listObjects,
  call: ({ ontologyRid, objectType }, { orderBy, select, ...ask }) => {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(ask)) {
      if (value !== undefined) parameters.set(name, String(value))
    }
    if (orderBy !== undefined) {
      const entries = orderBy.map(({ property, direction }) => `properties.${property}:${direction}`)
      parameters.set('orderBy', entries.join(','))
    }
    if (select !== undefined) parameters.set('properties', select.join(','))
    const query = parameters.size === 0 ? '' : `?${parameters.toString()}`
    return { path: `/api/v1/ontologies/${ontologyRid}/objects/${objectType}${query}`, init: get }
  },
}

const revision2: Revision = {
  name: '2.0',
  endpoint: 'searchObjects',
  sizes: pageSizes.search,
  call: ({ apiFamily, objectType }, { orderBy, ...ask }) => {
    const fields = orderBy?.map(({ property, direction }) => ({ field: property, direction }))
    return {
      path: `/api/${apiFamily}/v1/objects/types/${objectType}/search`,
      init: jsonBody({ query: { type: 'empty' }, ...ask, ...(fields && { orderBy: { fields } }) }),
    }
  },
}

export const revisions: readonly Revision[] = [revision1, revision2]

export const [listing, searching] = [revision1, revision2]

/** Revision 2.0 with a given query. */
export const searchingFor = (query: Query): Revision => ({
  ...searching,
  call: (collection, ask) => {
    const asked: PageAsk & { readonly query: Query } = { ...ask, query }
    return searching.call(collection, asked)
  },
})

const get: JsonRequest = { method: 'GET', headers: {} }

export const jsonBody = (body: unknown): JsonRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
