// Writes the walks of an export side by side, with progress.
import type { Page } from '@octavo/client'
import type { CommandContext } from '../base/command-context.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'
import type { ExportWalk, OpenedExport } from './export-partitions.ts'
import { objectsOf, type ExportState } from './export-state.ts'
import type { ObjectWriter } from './object-writer.ts'
import { writeWalk, type WrittenWalk } from './write-walk.ts'

export interface PartitionsToWrite extends OpenedExport {
  readonly writers: readonly ObjectWriter[]
  /** Saves how far a partition has been written; undefined if the export cannot be resumed. */
  readonly save: ((partition: number, state: WrittenWalk, all: ExportState) => Promise<void>) | undefined
  /** Stops all walks. */
  readonly stop: AbortController
}

/** The state at the end of all walks. */
export async function writePartitions(
  { output }: Pick<CommandContext, 'output'>,
  { state: opened, walks, writers, save, stop }: PartitionsToWrite,
): Promise<ExportState> {
  let state = opened
  const startedAt = performance.now()
  const progress = showProgress(output, () =>
    describeProgress({
      objects: objectsOf(state),
      fraction: fractionOf(state),
      elapsedMs: performance.now() - startedAt,
      before: { objects: objectsOf(opened), fraction: fractionOf(opened) ?? 0 },
      rejected: 0,
    }),
  )
  const writeOne = (walk: ExportWalk, i: number): Promise<void> => {
    const partition = opened.partitions[i]
    const writer = writers[i]
    if (partition === undefined || writer === undefined) throw new TypeError('a walk without a partition')
    return writeWalk({
      walk,
      writer,
      state: { walk: partition.walk, objects: partition.objects },
      save: save && ((now) => save(i, now, state)),
      onPage: ({ objects }, page) => {
        state = {
          ...state,
          ...factsOf(page),
          partitions: state.partitions.with(i, { ...partition, objects }),
        }
      },
    })
  }
  try {
    await allOrNone(walks.map(writeOne), stop)
    return state
  } finally {
    progress.stop()
  }
}

/** If one fails, the others are stopped. The first failure is the one that says why. */
async function allOrNone(works: readonly Promise<unknown>[], stop: AbortController): Promise<void> {
  const failures: unknown[] = []
  await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        failures.push(error)
        stop.abort()
      }),
    ),
  )
  if (failures.length > 0) throw failures[0]
}

const fractionOf = (state: ExportState): number | undefined =>
  state.total === undefined ? undefined : objectsOf(state) / Math.max(1, state.total)

const factsOf = ({ version, totalCount }: Page<unknown>): Pick<ExportState, 'version' | 'total'> => ({
  ...(version !== undefined && { version }),
  ...(totalCount !== undefined && { total: Number(totalCount) }),
})
