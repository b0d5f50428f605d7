import type { Database } from '../postgres/database.ts'
import type { Ontology } from './ontology.ts'
import { readRegistry, readRegistryVersion, type Registry } from './read-registry.ts'
import { upgradeOntologies } from './upgrade-ontology.ts'

interface RememberedRegistry {
  readonly version: string
  readonly checkedAt: number
  readonly byRid: ReadonlyMap<string, Ontology>
  readonly byFamily: ReadonlyMap<string, Ontology>
}

export interface RegistryMemory {
  /** The registry as it was at most this many milliseconds ago, whatever happens to the clock meanwhile. */
  readonly within: (milliseconds: number) => Promise<RememberedRegistry>
  readonly forget: () => void
}

export function rememberRegistry(database: Database, elapsed: () => number): RegistryMemory {
  let registry: RememberedRegistry | undefined
  let checking: { readonly begunAt: number; readonly result: Promise<RememberedRegistry> } | undefined

  const check = async (time: number): Promise<RememberedRegistry> => {
    const known = registry
    if (known !== undefined && known.version === (await readRegistryVersion(database))) {
      registry = { ...known, checkedAt: time }
    } else {
      const { version, ontologies } = await readNewest(database)
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

  /** Thousands who waited for one change ask at the same moment: they share one check, unless it began too long ago. */
  const checkOnce = (time: number, milliseconds: number): Promise<RememberedRegistry> => {
    if (checking !== undefined && time - checking.begunAt < milliseconds) return checking.result
    const result = check(time).finally(() => {
      if (checking?.result === result) checking = undefined
    })
    checking = { begunAt: time, result }
    return result
  }

  return {
    within: async (milliseconds) => {
      const time = elapsed()
      return registry !== undefined && time - registry.checkedAt < milliseconds
        ? registry
        : checkOnce(time, milliseconds)
    },
    forget: () => {
      registry = undefined
      checking = undefined
    },
  }
}

/** An instance of the previous release may create an ontology with an older layout after the database was migrated. */
async function readNewest(database: Database): Promise<Registry> {
  const read = await readRegistry(database)
  if (read.needsUpgrade) await upgradeOntologies(database)
  return read
}
