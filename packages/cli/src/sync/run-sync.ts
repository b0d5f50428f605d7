// `octavo sync`: makes a copy equal to the service, and keeps it so with --follow.
import { createClient } from '@octavo/client'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'
import { isConfirmed } from '../base/is-confirmed.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import type { CompressChoice } from '../options/compress-option.ts'
import { searchFacts } from '../reading/open-source.ts'
import { expiredText, explainCopy, syncCommand, type CopyCommand } from './explain-copy.ts'
import { followCopy } from './follow-copy.ts'
import { followStatus } from './follow-status.ts'
import { loadProgress } from './load-progress.ts'
import { openCopy } from './open-copy.ts'
import { expiredBy } from './service-answers.ts'
import { syncedText } from './synced-text.ts'
import { syncTypes, type Sync, type SyncedType, type SyncWatch } from './sync-types.ts'

export interface SyncOptions extends CopyCommand {
  readonly family: string
  readonly token: string
  readonly partitions: number
  readonly reloads: boolean
  /** Whether to stay, and write what changes. */
  readonly isFollowing: boolean
  /** For changes that the service does not keep any more. Undefined asks on a terminal, and stops elsewhere. */
  readonly whenExpired: 'stop' | 'restart' | undefined
  readonly compress: CompressChoice
  readonly json: boolean
}

export async function runSync(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  options: SyncOptions,
): Promise<void> {
  const { family, target, partitions, compress } = options
  const database = await openCopy(target, context).catch((error: unknown) => {
    throw explainCopy(error, options)
  })
  const sync: Omit<Sync, 'watch'> = {
    database,
    client: createClient({
      url: connection.url,
      token: options.token,
      fetch: context.fetch,
      compression: compress,
    }),
    family,
    ontologyRid: ontology.rid,
    readFacts: (objectType) => searchFacts(connection, family, objectType),
    partitions,
    now: context.now,
    signal: context.stopAsked,
  }
  try {
    let reloads = options.reloads
    do {
      const synced = await syncShown(context, sync, { ...options, reloads })
      await context.output.write(synced.map((each) => syncedText(each, options)).join(''))
      if (options.isFollowing) await followShown(context, sync, synced, options)
      reloads = false
    } while (options.isFollowing && !context.stopAsked.aborted)
  } catch (error) {
    if (context.stopAsked.aborted) {
      const hint = `To continue where it stopped:\n${syncCommand(options)}`
      throw new CliError('Stopped.', exitCodes.interrupted, { hint })
    }
    throw explainCopy(error, options)
  } finally {
    await database.close()
  }
}

async function syncShown(
  context: CommandContext,
  sync: Omit<Sync, 'watch'>,
  options: SyncOptions,
): Promise<readonly SyncedType[]> {
  const progress = loadProgress(context.output)
  try {
    return await syncOrBeginAgain(context, { ...sync, watch: progress.watch }, options)
  } finally {
    progress.stop()
  }
}

/** Until it is asked to stop, or the changes are not known any more. */
async function followShown(
  context: CommandContext,
  sync: Omit<Sync, 'watch'>,
  synced: readonly SyncedType[],
  { json }: SyncOptions,
): Promise<void> {
  const status = followStatus(context, synced, json)
  try {
    await followCopy({ ...sync, watch: noLoads }, synced, status.watch)
  } catch (error) {
    if (expiredBy(error) === undefined) throw error
  } finally {
    await status.stop()
  }
}

/** A copy that is followed was already read whole. */
const noLoads: SyncWatch = { onLoad: () => {}, onPage: () => {}, onStartAgain: () => {} }

/** A copy whose changes are not known any more is replaced only if somebody says so. */
async function syncOrBeginAgain(
  context: CommandContext,
  sync: Sync,
  options: SyncOptions,
): Promise<readonly SyncedType[]> {
  const reload = new Set(options.reloads ? options.objectTypes : [])
  for (;;) {
    try {
      return await syncTypes(sync, options.objectTypes, reload)
    } catch (error) {
      const expired = expiredBy(error)
      const { objectType } = expired ?? {}
      if (expired === undefined) throw error
      if (objectType !== undefined && reload.has(objectType)) throw error
      if (!(await wantsRestart(context, expiredText(expired, options), options))) throw error
      for (const name of objectType === undefined ? options.objectTypes : [objectType]) reload.add(name)
    }
  }
}

async function wantsRestart(
  context: CommandContext,
  because: string,
  { whenExpired, json }: SyncOptions,
): Promise<boolean> {
  if (whenExpired === 'restart') {
    context.output.note(`${because} Everything is read again.\n`)
    return true
  }
  if (whenExpired === 'stop' || !context.input.isTerminal || json) return false
  const question = `${because} Read everything again, and replace the copy when that is whole?`
  return isConfirmed(context, question, { byDefault: true })
}
