// Ontologies and object types: paginated lists like any other, and single items.
import {
  baseTypeName,
  unversionedListParametersSchema,
  pageSizes,
  type PageSizes,
  type SearchableObjectType,
} from '@octavo/protocol'
import { allTypes, ontologyRid } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import type { TokenBox } from './model-token.ts'
import { booleanIn, numberIn, one, refuseUnknown } from './read-list-ask.ts'
import { correctSteps } from './steps.ts'

export const ontology = {
  apiName: 'model',
  displayName: 'Model',
  description: 'A small model of the contract.',
  rid: ontologyRid,
}

export const asListed = (type: SearchableObjectType): object => ({
  apiName: type.apiName,
  displayName: type.displayName,
  status: type.status,
  primaryKey: [type.primaryKey],
  properties: Object.fromEntries(
    Object.entries(type.properties).map(([name, { type: of }]) => [name, { baseType: baseTypeName(of) }]),
  ),
  rid: `ri.ontology.main.object-type.${type.apiName}`,
})

export const listedTypes = (revision: '1.0' | '2.0'): readonly object[] =>
  revision === '1.0' ? allTypes.map(asListed) : allTypes

export function serveItem(item: object, parameters: URLSearchParams): object {
  refuseUnknown([...parameters.keys()], [])
  return item
}

export function serveList(
  name: string,
  items: readonly object[],
  { parameters, box }: { readonly parameters: URLSearchParams; readonly box: TokenBox },
  sizes: PageSizes = pageSizes.listObjectTypes,
): object {
  refuseUnknown([...parameters.keys()], Object.keys(unversionedListParametersSchema.properties))
  if (booleanIn(parameters, 'snapshot')) {
    refuse('InvalidParameterValue', { parameterId: 'snapshot', parameterValue: 'true' })
  }
  const size = correctSteps.pageSizeOf(numberIn(one(parameters, 'pageSize')), sizes)
  const token = one(parameters, 'pageToken')
  const opened = token === undefined ? { name, from: 0 } : (box.open(token) as { name: string; from: number })
  if (opened?.name !== name) return refuse('InvalidPageToken', { reason: 'malformed' })
  const end = opened.from + size
  return {
    data: items.slice(opened.from, end),
    ...(end < items.length && { nextPageToken: box.seal({ name, from: end }) }),
  }
}
