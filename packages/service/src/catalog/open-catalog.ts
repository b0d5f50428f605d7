// The catalog, cached in this process.
//
// How old can the cache be? An object type is never too old to matter: every page and every commit compares the revision and its
// tag in its own statement, and reads the catalog again when they differ (`withFreshType`). And before a request is refused, the
// definitions are checked to be still the cached ones. A name that is not cached is looked up in the database before the answer
// is that it does not exist. An ontology's texts and API families are at most `checkAfterMs` behind. Nothing outlives the
// history that it was read from: versions are compared with their tags, and the cache is cleared when the database continues on
// another timeline.
import { invariant } from '../base/errors/invariant.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import type { Database } from '../postgres/database.ts'
import type { ObjectType } from './object-type.ts'
import type { Ontology } from './ontology.ts'
import { readCatalogVersion, readObjectTypes } from './read-object-types.ts'
import { rememberRegistry } from './remembered-registry.ts'
import { StaleDefinition } from './stale-definition.ts'

export interface Catalog {
  readonly ontologies: () => Promise<readonly Ontology[]>
  /** Checks now whether an ontology has been created or changed: before the answer is that one does not exist. */
  readonly recheck: () => Promise<void>
  /** Clears the cache, which may be of a history that was lost. */
  readonly forget: () => void
  readonly ontology: (rid: string) => Promise<Ontology | undefined>
  readonly ontologyOfFamily: (apiFamily: string) => Promise<Ontology | undefined>
  readonly objectTypes: (ontology: Ontology) => Promise<readonly ObjectType[]>
  readonly objectType: (ontology: Ontology, apiName: string) => Promise<ObjectType | undefined>
  /** Checks now whether a definition has changed: before work that cannot be repeated. */
  readonly recheckTypes: (ontology: Ontology) => Promise<void>
  /** The names of the types as they were last read, sorted. */
  readonly typeNames: (ontology: Ontology) => readonly string[]
  /** Repeats the work, with definitions read again, if one that it used turns out to be stale. */
  readonly withFreshTypes: <T>(ontology: Ontology, work: () => Promise<T>) => Promise<T>
  /** The same for one type. */
  readonly withFreshType: <T>(
    ontology: Ontology,
    type: ObjectType,
    work: (type: ObjectType) => Promise<T>,
  ) => Promise<T>
}

export interface CatalogOptions {
  readonly database: Database
  /** Milliseconds, of a clock that never goes back. */
  readonly elapsed: () => number
  readonly checkAfterMs?: number
}

/** A change of a definition makes two revisions (decided, finished), and a second change may follow at once. */
const mostTries = 5

interface RememberedTypes {
  /** Raised by every change of a type of the ontology. */
  readonly version: string
  readonly byName: ReadonlyMap<string, ObjectType>
}

export function openCatalog({ database, elapsed, checkAfterMs = 1_000 }: CatalogOptions): Catalog {
  const registry = rememberRegistry(database, elapsed)
  const freshRegistry = () => registry.within(checkAfterMs)
  const remembered = new Map<string, RememberedTypes>()

  const readTypes = async ({ schema }: Ontology): Promise<ReadonlyMap<string, ObjectType>> => {
    const { version, types } = await readObjectTypes(database.holding(schema), schema)
    const byName = new Map(types.map((type) => [type.apiName, type]))
    remembered.set(schema, { version, byName })
    return byName
  }

  /** The cached types, if nothing has changed since: a list, or a name that does not exist, costs one small statement. */
  const freshTypes = async (ontology: Ontology): Promise<ReadonlyMap<string, ObjectType>> => {
    const known = remembered.get(ontology.schema)
    if (known === undefined) return readTypes(ontology)
    return known.version === (await readCatalogVersion(database.holding(ontology.schema), ontology.schema))
      ? known.byName
      : readTypes(ontology)
  }

  const objectType: Catalog['objectType'] = async (ontology, apiName) =>
    remembered.get(ontology.schema)?.byName.get(apiName) ?? (await freshTypes(ontology)).get(apiName)

  /** A request may have been refused because of a definition that is no longer current. */
  const isOutdated = async (error: unknown, { schema }: Ontology): Promise<boolean> =>
    error instanceof StaleDefinition ||
    (error instanceof ServiceError &&
      (await readCatalogVersion(database.holding(schema), schema)) !== remembered.get(schema)?.version)

  const withFreshTypes: Catalog['withFreshTypes'] = async (ontology, work) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        if (tries === mostTries || !(await isOutdated(error, ontology))) throw error
        await readTypes(ontology)
      }
    }
  }

  return {
    recheck: async () => void (await registry.within(0)),
    forget: () => {
      registry.forget()
      remembered.clear()
    },
    ontologies: async () => [...(await freshRegistry()).byRid.values()],
    ontology: async (rid) => (await freshRegistry()).byRid.get(rid),
    ontologyOfFamily: async (family) => (await freshRegistry()).byFamily.get(family),
    objectTypes: async (ontology) => [...(await freshTypes(ontology)).values()],
    objectType,
    recheckTypes: async (ontology) => void (await freshTypes(ontology)),
    typeNames: ({ schema }) => [...(remembered.get(schema)?.byName.keys() ?? [])].toSorted(),
    withFreshTypes,
    withFreshType: (ontology, type, work) => {
      let newest: ObjectType | undefined = type
      return withFreshTypes(ontology, async () => {
        newest ??= remembered.get(ontology.schema)?.byName.get(type.apiName)
        invariant(newest !== undefined, 'type-is-gone')
        try {
          return await work(newest)
        } catch (error) {
          newest = undefined
          throw error
        }
      })
    },
  }
}
