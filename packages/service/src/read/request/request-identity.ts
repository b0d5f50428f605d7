// What must stay the same from page to page, part by part, so that the error can say which part of the request changed (P25).
import type { PageEndpoint, PageRequest } from './page-request.ts'

/** The order in which a page token keeps their fingerprints. New parts are only ever added at the end. */
export const identityParts = [
  'endpoint',
  'ontology',
  'objectType',
  'query',
  'orderBy',
  'select',
  'snapshot',
] as const
export type IdentityPart = (typeof identityParts)[number]

/** The name of a part as the caller knows it: revision 1.0 has no `query` and no `select` (P25). */
export const partName = (endpoint: PageEndpoint, part: IdentityPart): string =>
  (endpoint === 'listObjects' ? namesInRevision1[part] : undefined) ?? part

const namesInRevision1: Partial<Record<IdentityPart, string>> = { query: 'filters', select: 'properties' }

/** Each part as canonical text: requests with the same meaning have the same text (P26). */
export type RequestIdentity = Readonly<Record<IdentityPart, string>>

export function requestIdentity(
  request: PageRequest,
  target: {
    readonly ontologyRid: string
    readonly objectType: string
    /** The state that the request names. */
    readonly named?: { readonly version: string; readonly tag: string } | undefined
  },
): RequestIdentity {
  return {
    endpoint: request.endpoint,
    ontology: target.ontologyRid,
    objectType: target.objectType,
    query: request.query.type === 'empty' ? everyObject : canonicalJson(request.query),
    orderBy: canonicalJson(request.orderBy),
    select: request.select === undefined ? '' : canonicalJson([...new Set(request.select)].toSorted()),
    // Two snapshot tokens of one state mean the same.
    snapshot:
      target.named === undefined ? String(request.snapshot) : `${target.named.version} ${target.named.tag}`,
  }
}

const everyObject = canonicalJson({ type: 'empty' })

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
