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
  /** The registry as it was at most this many milliseconds ago. */
  readonly within: (milliseconds: number) => Promise<RememberedRegistry>
  readonly forget: () => void
}

export function rememberRegistry(database: Database, now: () => Date): RegistryMemory {
  let registry: RememberedRegistry | undefined

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

  return {
    within: async (milliseconds) => {
      const time = now().getTime()
      return registry !== undefined && time - registry.checkedAt < milliseconds ? registry : check(time)
    },
    forget: () => {
      registry = undefined
    },
  }
}

/** An instance of the previous release may create an ontology with an older layout after the database was migrated. */
async function readNewest(database: Database): Promise<Registry> {
  const read = await readRegistry(database)
  if (read.needsUpgrade) await upgradeOntologies(database)
  return read
}
