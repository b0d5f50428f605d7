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
  otherNames[endpoint][part] ?? part

const otherNames: Readonly<Record<PageEndpoint, Partial<Record<IdentityPart, string>>>> = {
  listObjects: { query: 'filters', select: 'properties' },
  searchObjects: {},
  readChanges: { snapshot: 'fromSnapshotToken' },
  listObjectsV2: {},
  searchObjectsV2: { query: 'where' },
  loadObjectSetV2: { query: 'objectSet' },
}

/** Each part as canonical text: requests with the same meaning have the same text (P26). */
export type RequestIdentity = Readonly<Record<IdentityPart, string>>

/** The identity of a request that has only some of the parts. */
export const identityOf = (parts: {
  readonly [Part in IdentityPart]?: string | undefined
}): RequestIdentity =>
  Object.fromEntries(identityParts.map((part) => [part, parts[part] ?? ''])) as RequestIdentity

interface NamedState {
  readonly version: string
  readonly tag: string
}

export function requestIdentity(
  request: PageRequest,
  target: {
    readonly ontologyRid: string
    readonly objectType: string
    /** The state that the request names. */
    readonly named?: NamedState | undefined
    /** The later state that a request for changes names. */
    readonly to?: NamedState | undefined
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
      target.named === undefined
        ? [String(request.snapshot), ...afterText(request)].join(' ')
        : [target.named, target.to].flatMap((state) => (state ? [state.version, state.tag] : [])).join(' '),
  }
}

/** A later page must not be asked for a later position than the state of its walk contains. */
const afterText = ({ after }: PageRequest): readonly string[] =>
  after === undefined ? [] : [canonicalJson([after.source, after.generation ?? null, after.sortKey])]

/** The same for requests that mean the same. No part holds the separator. */
export const identityText = (identity: RequestIdentity): string =>
  identityParts.map((part) => identity[part]).join('\0')

const everyObject = canonicalJson({ type: 'empty' })

/** The same text for values that mean the same. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
