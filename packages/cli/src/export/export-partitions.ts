// The walks of an export: one, or one for each partition of the state that is exported.
import { sumOfChecksums, type Client, type Walk } from '@octavo/client'
import type { Query } from '@octavo/protocol'
import { CliError } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { amountText } from '../output/numbers.ts'
import type { ExportState, PartitionState } from './export-state.ts'
import type { Properties } from './object-line.ts'
import { nothingWritten } from './unfinished-file.ts'

export type ExportWalk = Walk<{ readonly properties: Properties }>

export interface WantedExport {
  readonly family: string
  readonly objectType: string
  readonly query: Query
  readonly partitions: number
  readonly at: string | undefined
  readonly signal: AbortSignal
}

export interface OpenedExport {
  readonly state: ExportState
  readonly walks: readonly ExportWalk[]
}

const nothing = { ...nothingWritten, objects: 0 }

/** Resumes what was begun, or begins. */
export async function openExport(
  client: Client,
  begun: ExportState,
  { family, objectType, query, partitions, at, signal }: WantedExport,
): Promise<OpenedExport> {
  const objects = client.family(family).objects(objectType)
  const named = at === undefined ? {} : { snapshotToken: at }
  const walkOf = ({ walk }: PartitionState): ExportWalk =>
    walk === ''
      ? objects.search(query, { snapshot: true, ...named, signal })
      : client.resume(walk, { signal })
  if (begun.partitions.length > 0) return { state: begun, walks: begun.partitions.map(walkOf) }
  if (partitions === 1) {
    const only = { walk: '', ...nothing }
    return { state: { ...begun, partitions: [only] }, walks: [walkOf(only)] }
  }
  const split = await objects.partitions(partitions, { query, ...named, signal })
  const states = split.partitions.map((partition) => ({ walk: partition.save(), ...nothing }))
  const state = {
    ...begun,
    partitions: states,
    version: split.version,
    ...(split.totalCount !== undefined && { total: Number(split.totalCount) }),
    ...(split.checksum !== undefined && { checksum: split.checksum }),
  }
  // From their saved form, as if resumed: so it makes no difference whether they were.
  return { state, walks: states.map(walkOf) }
}

/** Whether all partitions together are what was split. A walk that is not a partition has compared itself. */
export function checkExport({ total, checksum }: ExportState, walks: readonly ExportWalk[]): void {
  if (walks.length === 1) return
  const objects = walks.reduce((sum, { received }) => sum + received.objects, 0)
  const sum = sumOfChecksums(walks.map(({ received }) => received.checksum))
  const isOther = checksum !== undefined && sum !== undefined && checksum !== sum
  if (!isOther && (total === undefined || total === objects)) return
  throw new CliError(
    `The ${amountText(objects, 'object')} that were received are not those of the version that was exported. Something between this command and the service changed, lost or repeated an object.`,
    exitCodes.failed,
  )
}
