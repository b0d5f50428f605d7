// The catalog as this process remembers it.
//
// How old can it be? An object type: never too old to matter, because every page and every commit compares the
// revision in its own statement, and reads the catalog again when it differs (`withFreshType`). A name that is not
// remembered is looked up in the database before it is said not to exist. An ontology's texts and API families: at
// most `checkAfterMs` behind.
import type { Database } from '../postgres/database.ts'
import type { ObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import { readObjectTypes } from './read-object-types.ts'
import { readOntologies } from './read-ontologies.ts'
import { StaleDefinition } from './stale-definition.ts'

export interface Catalog {
  readonly ontologies: () => Promise<readonly Ontology[]>
  readonly ontology: (rid: string) => Promise<Ontology | undefined>
  readonly ontologyOfFamily: (apiFamily: string) => Promise<Ontology | undefined>
  readonly objectTypes: (ontology: Ontology) => Promise<readonly ObjectType[]>
  readonly objectType: (ontology: Ontology, apiName: string) => Promise<ObjectType | undefined>
  /** Does the work again with the newest definition if the one at hand turns out to be old. */
  readonly withFreshType: <T>(
    ontology: Ontology,
    type: ObjectType,
    work: (type: ObjectType) => Promise<T>,
  ) => Promise<T>
}

export interface CatalogOptions {
  readonly database: Database
  readonly now: () => Date
  readonly checkAfterMs?: number
}

/** A change of a definition is two revisions (decided, finished), and a second change may follow at once. */
const mostTries = 5

interface RememberedRegistry {
  readonly version: string
  readonly checkedAt: number
  readonly byRid: ReadonlyMap<string, Ontology>
  readonly byFamily: ReadonlyMap<string, Ontology>
}

export function openCatalog({ database, now, checkAfterMs = 1_000 }: CatalogOptions): Catalog {
  let registry: RememberedRegistry | undefined
  const typesBySchema = new Map<string, ReadonlyMap<string, ObjectType>>()

  const freshRegistry = async (): Promise<RememberedRegistry> => {
    const time = now().getTime()
    if (registry !== undefined && time - registry.checkedAt < checkAfterMs) return registry
    const rows = await database.rows({ text: 'select version from octavo.registry_version', values: [] })
    const version = rows[0]?.['version'] ?? ''
    if (registry?.version === version) {
      registry = { ...registry, checkedAt: time }
    } else {
      const ontologies = await readOntologies(database)
      registry = {
        version,
        checkedAt: time,
        byRid: new Map(ontologies.map((ontology) => [ontology.rid, ontology])),
        byFamily: new Map(
          ontologies.flatMap((ontology) => ontology.apiFamilies.map((family) => [family, ontology] as const)),
        ),
      }
    }
    return registry
  }

  const readTypes = async ({ schema }: Ontology): Promise<ReadonlyMap<string, ObjectType>> => {
    const types = await readObjectTypes(database, schema)
    const byName = new Map(types.map((type) => [type.apiName, type]))
    typesBySchema.set(schema, byName)
    return byName
  }

  const objectType = async (ontology: Ontology, apiName: string): Promise<ObjectType | undefined> =>
    typesBySchema.get(ontology.schema)?.get(apiName) ?? (await readTypes(ontology)).get(apiName)

  return {
    ontologies: async () => [...(await freshRegistry()).byRid.values()],
    ontology: async (rid) => (await freshRegistry()).byRid.get(rid),
    ontologyOfFamily: async (family) => (await freshRegistry()).byFamily.get(family),
    objectTypes: async (ontology) => [...(await readTypes(ontology)).values()],
    objectType,
    withFreshType: async (ontology, type, work) => {
      let newest = type
      for (let tries = 1; ; tries += 1) {
        try {
          return await work(newest)
        } catch (error) {
          if (!(error instanceof StaleDefinition) || tries === mostTries) throw error
          const fresh = (await readTypes(ontology)).get(type.apiName)
          if (fresh === undefined) throw error
          newest = fresh
        }
      }
    },
  }
}
