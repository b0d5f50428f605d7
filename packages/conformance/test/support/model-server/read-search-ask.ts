// Parses the body of revision 2.0.
import { linkedObjectsParametersSchema, pageSizes, searchRequestSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { ModelAsk } from './model-ask.ts'
import { thingType } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { checkedOrder, refuseUnknown, snapshotMode } from './read-list-ask.ts'

const shape = Compile(searchRequestSchema)

export function readSearchAsk(objectType: string, text: string): ModelAsk {
  if (text === '') refuse('MissingPostBody', { expectedMediaType: 'application/json' })
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(searchRequestSchema.properties))
  const { pageSize, pageToken, snapshotToken, ...rest } = body
  if (!shape.Check(rest))
    return refuse('Conjure:UnprocessableEntity', { path: '', problem: 'it has another shape' })
  checkFields(rest.query)
  return {
    endpoint: 'searchObjects',
    sizes: pageSizes.search,
    objectType,
    pageSize: pageSize ?? undefined,
    pageToken: pageToken ?? undefined,
    ...snapshotMode(rest.snapshot ?? undefined, snapshotToken ?? undefined, 'body'),
    orderBy: checkedOrder(
      (rest.orderBy?.fields ?? []).map(({ field, direction }) => ({
        property: field,
        direction: direction ?? 'asc',
      })),
      declared,
    ),
    select: rest.select?.map(declared),
    query: rest.query,
  }
}

/** The query string of one object and of what it is linked to. */
export function readObjectAsk(objectType: string, parameters: URLSearchParams): ModelAsk {
  refuseUnknown([...parameters.keys()], Object.keys(linkedObjectsParametersSchema.properties))
  const { pageSize, select, snapshot, ...others } = Object.fromEntries(parameters)
  const body = {
    ...others,
    query: { type: 'empty' },
    ...(pageSize !== undefined && { pageSize: Number(pageSize) }),
    ...(select !== undefined && { select: select.split(',') }),
    ...(snapshot !== undefined && { snapshot: snapshot === 'true' }),
  }
  return readSearchAsk(objectType, JSON.stringify(body))
}

export function jsonObjectIn(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body))
      return body as Record<string, unknown>
  } catch {
    // Refused below, like a malformed body.
  }
  return refuse('Conjure:UnprocessableEntity', { path: '', problem: 'it must be a JSON object' })
}

const declared = (name: string): string =>
  Object.hasOwn(thingType.properties, name)
    ? name
    : refuse('PropertiesNotFound', { objectType: thingType.apiName, properties: [name] })

function checkFields(query: unknown): void {
  const { field } = query as { readonly field?: string }
  if (field !== undefined) declared(field)
}
