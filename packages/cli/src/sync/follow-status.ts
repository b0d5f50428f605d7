// What somebody sees who watches a copy being kept: a line that is redrawn on a terminal; elsewhere a line when something has
// happened, and not more than one in a few seconds.
import { amountText, agoText, countText } from '../output/numbers.ts'
import type { CommandContext } from '../base/command-context.ts'
import { showProgress } from '../progress/progress.ts'
import type { FollowWatch } from './follow-copy.ts'
import type { SyncedType } from './sync-types.ts'
import { syncedText } from './synced-text.ts'

const sayEveryMs = 5_000

export interface FollowStatus {
  readonly watch: FollowWatch
  readonly stop: () => Promise<void>
}

export function followStatus(
  { output, now }: CommandContext,
  begun: readonly SyncedType[],
  json: boolean,
): FollowStatus {
  let latest = begun
  let applied = 0
  let changedAt: string | undefined
  let trouble: { readonly because: string; readonly since: string } | undefined
  /** Applied, and not said yet. */
  let unsaid = new Map<string, SyncedType>()
  let saying = Promise.resolve()
  const say = (): Promise<void> => {
    const lines = [...unsaid.values()].map((each) => syncedText(each, { json }))
    unsaid = new Map()
    if (lines.length > 0) saying = saying.then(() => output.write(lines.join('')))
    return saying
  }
  const timer = output.notesAreShown ? undefined : setInterval(() => void say(), sayEveryMs).unref()
  const progress = output.notesAreShown
    ? showProgress(output, () =>
        [
          latest.map(({ state }) => `${state.type.apiName} ${state.version}`).join(', '),
          amountText(String(latest.reduce((sum, { state }) => sum + state.objects, 0n)), 'object'),
          `${amountText(applied, 'change')} applied`,
          trouble === undefined
            ? `in step${changedAt === undefined ? '' : `, last change ${agoText(changedAt, now())}`}`
            : `behind since ${agoText(trouble.since, now())}: ${trouble.because}`,
        ].join('  '),
      )
    : undefined
  return {
    watch: {
      onSynced: async (synced) => {
        latest = synced
        changedAt = now().toISOString()
        for (const each of synced) {
          const changes = each.puts + each.deletes
          applied += changes
          const { apiName } = each.state.type
          const before = unsaid.get(apiName)
          if (changes === 0 && before === undefined) continue
          unsaid.set(apiName, {
            ...each,
            puts: each.puts + (before?.puts ?? 0),
            deletes: each.deletes + (before?.deletes ?? 0),
          })
        }
        // A program gets a line for every state. A terminal has its status line.
        if (json) await say()
        else if (output.notesAreShown) unsaid = new Map()
      },
      onTrouble: (error, pauseMs) => {
        const because = error instanceof Error ? error.message : String(error)
        const isNew = trouble === undefined
        trouble ??= { because, since: now().toISOString() }
        if (isNew && !output.notesAreShown && output.showsProgress !== false) {
          output.note(`${because} Trying again, next in ${countText(Math.ceil(pauseMs / 1_000))} s.\n`)
        }
      },
      onInStep: () => {
        if (trouble !== undefined && !output.notesAreShown && output.showsProgress !== false) {
          output.note('In step again.\n')
        }
        trouble = undefined
      },
    },
    stop: async () => {
      clearInterval(timer)
      progress?.stop()
      await say()
    },
  }
}
