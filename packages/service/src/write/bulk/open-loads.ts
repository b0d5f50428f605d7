import type { CommitReceipt, Load } from '@octavo/protocol'
import { contentsDigest } from '../../base/digest/contents-digest.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { describeLoad, listLoads, type ListedLoad } from './describe-loads.ts'
import { finishLoad, type FinishRequest, type FinishSources } from './finish-load.ts'
import {
  addPart,
  beginLoad,
  beginLoadOnce,
  findLoad,
  giveUpLoad,
  storedPart,
  typeOfLoad,
  type Part,
} from './loads.ts'

interface LoadOptions {
  readonly replaces: boolean
  readonly idempotencyKey?: string | undefined
}

/** Everything that is done with loads; an id that is unknown is refused with `LoadNotFound`. */
export interface Loads {
  /** Refuses whatever is asked of loads where there are none. */
  readonly requireSupport: () => void
  /** Returns its id. */
  readonly begin: (type: ObjectType, options: LoadOptions) => Promise<string>
  /** The number of the object type of a load. */
  readonly typeOf: (schema: string, load: string) => Promise<number>
  readonly describe: (type: ObjectType, load: string) => Promise<Load>
  readonly list: (schema: string, wanted: Parameters<typeof listLoads>[2]) => Promise<readonly ListedLoad[]>
  /** Refuses a load that takes no parts. */
  readonly requireOpen: (type: ObjectType, load: string) => Promise<void>
  /** The number of objects of a part, if the load has it with these contents. */
  readonly storedPart: (
    type: ObjectType,
    load: string,
    part: Pick<Part, 'part' | 'digest'>,
  ) => Promise<number | undefined>
  readonly addPart: (type: ObjectType, load: string, part: Part) => ReturnType<typeof addPart>
  readonly finish: (request: FinishRequest) => Promise<CommitReceipt>
  readonly giveUp: (type: ObjectType, load: string) => Promise<void>
}

export const openLoads = (sources: FinishSources & { readonly newLoadId: () => string }): Loads => {
  const { database } = sources
  return {
    // On a cluster, tables cannot be created on the node that holds the ontology.
    requireSupport: () => {
      if (database.isCitus()) throw new ServiceError('LoadsNotSupported', {})
    },
    begin: async (type, { replaces, idempotencyKey }) => {
      if (idempotencyKey === undefined) {
        const load = sources.newLoadId()
        await beginLoad(database, type, { load, replaces })
        return load
      }
      const load = loadIdOf(type, idempotencyKey)
      await beginLoadOnce(database, type, { load, replaces, idempotencyKey })
      return load
    },
    typeOf: (schema, load) => typeOfLoad(database.holding(schema), schema, load),
    describe: (type, load) => describeLoad(database.holding(type.schema), type, load),
    list: (schema, wanted) => listLoads(database.holding(schema), schema, wanted),
    requireOpen: async (type, load) => {
      const found = await findLoad(database.holding(type.schema), type, load)
      if (found.phase !== 'receiving') throw new ServiceError('LoadClosed', { loadId: load })
    },
    storedPart: (type, load, part) => storedPart(database, type, load, part),
    addPart: (type, load, part) => addPart(database, type, load, part),
    finish: (request) => finishLoad(sources, request),
    giveUp: (type, load) => giveUpLoad(database, type, load),
  }
}

/** The same for the same key, in one ontology. */
function loadIdOf({ schema }: ObjectType, idempotencyKey: string): string {
  const digest = contentsDigest(`load of ${schema}`)
  digest.update(Buffer.from(idempotencyKey))
  return Buffer.from(digest.value(), 'base64url').toString('hex', 0, 16)
}
