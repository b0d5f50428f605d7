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

export interface TableSize {
  readonly rowCount: number
  readonly byteCount: number
}

export interface IndexFacts {
  readonly kind: string
  readonly fields: readonly { readonly field: string; readonly direction: string }[]
  readonly byteCount?: number
  readonly useCount?: number
}

/** The service shows these to writers of a type. */
export interface TypeStatistics {
  readonly version: string
  readonly committedAt: string
  readonly objectCount: number
  readonly retentionSeconds: number
  readonly oldestReadable: { readonly version: string; readonly committedAt: string }
  readonly current?: TableSize
  readonly history?: TableSize
  readonly changes?: TableSize
  readonly indexes: readonly IndexFacts[]
}

export interface Family {
  readonly name: string
  readonly ontology: OntologyFacts
  readonly types: readonly ObjectType[]
}

export type Catalog =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | {
      readonly kind: 'read'
      readonly families: readonly Family[]
    }

export const catalog = signal<Catalog>({ kind: 'loading' })

const pathOf = (parts: TemplateStringsArray, ...names: readonly string[]): string =>
  String.raw({ raw: parts }, ...names.map(encodeURIComponent))

const readFamily = async (ontology: OntologyFacts, name: string): Promise<Family> => ({
  name,
  ontology,
  types: await askAll<ObjectType>(pathOf`/api/${name}/v1/objects/types`),
})

/** How many objects the types have, by their families; for their writers. */
export const objectCounts = signal<Readonly<Record<string, Readonly<Record<string, number>>>>>({})

/** One type after the other: there may be many of them. */
async function readCounts(families: readonly Family[], isCurrent: () => boolean): Promise<void> {
  for (const { name, ontology, types } of families) {
    if (ontology.role === 'reader') continue
    for (const { apiName } of types) {
      const { objectCount } = await readStatistics(ontology.rid, apiName)
      if (!isCurrent()) return
      const ofFamily = { ...objectCounts.value[name], [apiName]: objectCount }
      objectCounts.value = { ...objectCounts.value, [name]: ofFamily }
    }
  }
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
    if (read !== reads) return
    catalog.value = { kind: 'read', families }
    // Where they cannot be read, the old counts stay.
    readCounts(families, () => read === reads).catch(() => {})
  } catch (error) {
    if (read === reads) catalog.value = { kind: 'failed', failure: failureOf(error) }
  }
}

effect(() => {
  if (token.value === undefined) catalog.value = { kind: 'loading' }
  else void readCatalog()
})

export const readStatistics = (ontologyRid: string, type: string): Promise<TypeStatistics> =>
  ask(pathOf`/manage/v1/ontologies/${ontologyRid}/objectTypes/${type}/statistics`)

/** Grows with every change of the definition. */
export const readRevision = async (ontologyRid: string, type: string): Promise<number> =>
  (await ask<{ revision: number }>(pathOf`/manage/v1/ontologies/${ontologyRid}/objectTypes/${type}`)).revision

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
