import type { Call } from './serve.ts'

export const searchPath = (type: string): string => `/api/one/v1/objects/types/${type}`
export const listPath = (rid: string, type: string): string => `/api/v1/ontologies/${rid}/objects/${type}`
export const v2Path = '/api/v2/ontologies/one'

export const get = (path: string): Call => ({ method: 'GET', path })
export const post = (path: string, body?: object, headers: Call['headers'] = {}): Call => ({
  method: 'POST',
  path,
  ...(body !== undefined && { body }),
  headers,
})
