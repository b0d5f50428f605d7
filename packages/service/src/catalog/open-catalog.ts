// The catalog as this process remembers it.
//
// How old can it be? An object type: never too old to matter, because every page and every commit compares the
// revision and its tag in its own statement, and reads the catalog again when they differ (`withFreshType`); and because nobody is
// refused before it is known that the definitions are still those that were remembered. A name that is not
// remembered is looked up in the database before it is said not to exist. An ontology's texts and API families: at
// most `checkAfterMs` behind. Nothing outlives the history it was read from: versions are compared with their tags, and all
// is forgotten when the database goes on from another timeline.
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
  /** Looks now whether an ontology has been made or changed: before one is said not to exist. */
  readonly recheck: () => Promise<void>
  /** What is remembered may be of a history that was lost. */
  readonly forget: () => void
  readonly ontology: (rid: string) => Promise<Ontology | undefined>
  readonly ontologyOfFamily: (apiFamily: string) => Promise<Ontology | undefined>
  readonly objectTypes: (ontology: Ontology) => Promise<readonly ObjectType[]>
  readonly objectType: (ontology: Ontology, apiName: string) => Promise<ObjectType | undefined>
  /** Looks now whether a definition has changed: before work that cannot be done again. */
  readonly recheckTypes: (ontology: Ontology) => Promise<void>
  /** Of the types as they were read last, in order. */
  readonly typeNames: (ontology: Ontology) => readonly string[]
  /** Does the work again, on newly read definitions, if one that it was done with turns out to be old. */
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
  readonly now: () => Date
  readonly checkAfterMs?: number
}

/** A change of a definition is two revisions (decided, finished), and a second change may follow at once. */
const mostTries = 5

interface RememberedTypes {
  /** Raised with every change of a type of the ontology. */
  readonly version: string
  readonly byName: ReadonlyMap<string, ObjectType>
}

export function openCatalog({ database, now, checkAfterMs = 1_000 }: CatalogOptions): Catalog {
  const registry = rememberRegistry(database, now)
  const freshRegistry = () => registry.within(checkAfterMs)
  const remembered = new Map<string, RememberedTypes>()

  const readTypes = async ({ schema }: Ontology): Promise<ReadonlyMap<string, ObjectType>> => {
    const { version, types } = await readObjectTypes(database, schema)
    const byName = new Map(types.map((type) => [type.apiName, type]))
    remembered.set(schema, { version, byName })
    return byName
  }

  /** What is remembered, if nothing has changed since: a list, or a name that nobody has, costs one small statement. */
  const freshTypes = async (ontology: Ontology): Promise<ReadonlyMap<string, ObjectType>> => {
    const known = remembered.get(ontology.schema)
    if (known === undefined) return readTypes(ontology)
    return known.version === (await readCatalogVersion(database, ontology.schema))
      ? known.byName
      : readTypes(ontology)
  }

  const objectType: Catalog['objectType'] = async (ontology, apiName) =>
    remembered.get(ontology.schema)?.byName.get(apiName) ?? (await freshTypes(ontology)).get(apiName)

  /** A refusal may be due to a definition that is no longer the one. */
  const isOutdated = async (error: unknown, { schema }: Ontology): Promise<boolean> =>
    error instanceof StaleDefinition ||
    (error instanceof ServiceError &&
      (await readCatalogVersion(database, schema)) !== remembered.get(schema)?.version)

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
