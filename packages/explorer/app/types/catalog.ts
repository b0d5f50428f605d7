// Which types the caller may read, and what they hold.
import { effect, signal } from '@preact/signals'
import { ask, askAll, failureOf, type Failure } from '../service/api.ts'
import { token } from '../sign-in/session.ts'
import type { ObjectType } from './object-type.ts'

interface OntologyFacts {
  readonly rid: string
  readonly apiName: string
  readonly displayName: string
  readonly description: string
  readonly apiFamilies: readonly string[]
  readonly role: 'reader' | 'writer' | 'owner'
}

/** What the management interface tells of a type. Absent for callers to whom it tells nothing. */
export interface TypeState {
  readonly apiName: string
  readonly version: string
  readonly objects: string
  readonly committedAt?: string
  readonly revision: number
  readonly preparing?: readonly unknown[]
}

export interface Family {
  readonly name: string
  readonly ontology: OntologyFacts
  readonly types: readonly ObjectType[]
  readonly states: Readonly<Record<string, TypeState>>
}

export type Catalog =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'read'
      readonly families: readonly Family[]
      /** These have objects, but no API family through which all of them can be read. */
      readonly without: readonly OntologyFacts[]
    }

export const catalog = signal<Catalog>({ kind: 'loading' })

const pathOf = (parts: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: parts }, ...names.map(encodeURIComponent))

async function readFamily(ontology: OntologyFacts, name: string): Promise<Family> {
  const [types, states] = await Promise.all([
    askAll<ObjectType>(pathOf`/api/${name}/v1/objects/types`),
    askAll<TypeState>(pathOf`/manage/v1/ontologies/${ontology.rid}/objectTypes`).catch(() => []),
  ])
  return { name, ontology, types, states: Object.fromEntries(states.map((state) => [state.apiName, state])) }
}

let reads = 0

export async function readCatalog(): Promise<void> {
  const read = (reads += 1)
  try {
    const ontologies = await askAll<OntologyFacts>('/manage/v1/ontologies')
    const families = await Promise.all(
      ontologies.flatMap((ontology) =>
        ontology.apiFamilies.slice(0, 1).map((name) => readFamily(ontology, name)),
      ),
    )
    const without = ontologies.filter(({ apiFamilies }) => apiFamilies.length === 0)
    if (read === reads) catalog.value = { kind: 'read', families, without }
  } catch (error) {
    if (read === reads) catalog.value = { kind: 'failed', failure: failureOf(error) }
  }
}

effect(() => {
  if (token.value === undefined) catalog.value = { kind: 'loading' }
  else void readCatalog()
})

export const readTypeState = (ontologyRid: string, type: string): Promise<TypeState> =>
  ask(pathOf`/manage/v1/ontologies/${ontologyRid}/objectTypes/${type}`)

export interface FoundType {
  readonly family: Family
  readonly type: ObjectType
}

/** The type of this name, or undefined. An address may leave the family out where only one has such a type. */
export function findType(
  families: readonly Family[],
  family: string | undefined,
  type: string | undefined,
): FoundType | undefined {
  for (const each of families) {
    if (family !== undefined && each.name !== family) continue
    const found = each.types.find(({ apiName }) => apiName === type)
    if (found !== undefined) return { family: each, type: found }
  }
  return undefined
}
