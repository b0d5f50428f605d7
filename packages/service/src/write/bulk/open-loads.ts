import type { CommitReceipt, Load } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import { finishLoad, type FinishRequest, type FinishSources } from './finish-load.ts'
import { addPart, beginLoad, describeLoad, findLoad, giveUpLoad, storedPart, type Part } from './loads.ts'

/** Everything that is done with loads; an id that is unknown is refused with `LoadNotFound`. */
export interface Loads {
  /** Returns its id. */
  readonly begin: (type: ObjectType, options: { readonly replaces: boolean }) => Promise<string>
  readonly describe: (type: ObjectType, load: string) => Promise<Load>
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
    begin: async (type, { replaces }) => {
      const load = sources.newLoadId()
      await beginLoad(database, type, { load, replaces })
      return load
    },
    describe: (type, load) => describeLoad(database, type, load),
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
