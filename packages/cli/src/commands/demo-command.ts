import { once } from 'node:events'
import type { Command } from 'commander'
import { CliError } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { openConnection } from '../connection/connection.ts'
import { demoGreeting } from '../demo/demo-greeting.ts'
import { loadDemo } from '../demo/load-demo.ts'
import { makeLocalToken } from '../local/local-token.ts'
import { onceParentIsGone } from '../local/once-parent-is-gone.ts'
import { startLocalService } from '../local/start-local-service.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { examples } from '../output/help-texts.ts'
import { describeProgress } from '../progress/describe-progress.ts'
import { showProgress } from '../progress/progress.ts'

interface DemoOptions {
  readonly objects: number
  readonly port: number
  readonly seed: number
}

export function registerDemo(program: Command, context: CommandContext): void {
  program
    .command('demo')
    .summary('run a throwaway service with many made-up objects')
    .description(
      'Runs the service on a throwaway PostgreSQL and fills it with made-up aircraft, airports, flights and people; prints a token and what to try. Ctrl-C stops it and removes everything. PostgreSQL 15 or newer must be installed; it need not be running.',
    )
    .configureHelp({ ...program.configureHelp(), showGlobalOptions: false })
    .option('--objects <NUMBER>', 'how many objects to create', wholeNumber(4, 10_000_000), 100_000)
    .option('--port <NUMBER>', 'the port to listen on', wholeNumber(1, 65_535), 8080)
    .option('--seed <NUMBER>', 'the same seed makes the same objects', wholeNumber(0, 2 ** 31), 1)
    .addHelpText('after', examples([['a million objects', 'octavo demo --objects 1000000']]))
    .action((options: DemoOptions) => runDemo(options, context))
}

async function runDemo({ objects, port, seed }: DemoOptions, context: CommandContext): Promise<void> {
  const { output } = context
  const parentGone = new AbortController()
  onceParentIsGone(() => parentGone.abort())
  const stopAsked = AbortSignal.any([context.stopAsked, parentGone.signal])
  const startedAt = performance.now()
  output.note('Starting a throwaway PostgreSQL and the service.\n')
  const service = await startLocalService({ port }).catch((error: unknown) => {
    throw new CliError(error instanceof Error ? error.message : String(error))
  })
  try {
    const token = await makeLocalToken(service.databaseUrl)
    const connection = openConnection({ url: service.url, token }, { ...context, stopAsked })
    let loaded = 0
    const loadingAt = performance.now()
    const progress = showProgress(output, () =>
      describeProgress({
        objects: loaded,
        fraction: loaded / objects,
        elapsedMs: performance.now() - loadingAt,
        before: { objects: 0, fraction: 0 },
        rejected: 0,
      }),
    )
    const onLoaded = (sum: number) => (loaded = sum)
    const rid = await loadDemo(
      connection,
      { objects, seed },
      { stopAsked, say: progress.say, onLoaded },
    ).finally(progress.stop)
    const readyMs = performance.now() - startedAt
    await output.write(demoGreeting({ url: service.url, token, rid, objects, readyMs }))
    if (!stopAsked.aborted) await once(stopAsked, 'abort')
  } finally {
    await service.stop()
  }
}
