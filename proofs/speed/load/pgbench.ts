// The bare server: pgbench sends one prepared statement over and over and discards the answers.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cluster } from '@octavo/dev-database'
import { settingsOnOneServer } from '../../../packages/service/test/inside.ts'
import type { LoadOptions, LoadResult } from '../contestants/contestant.ts'

const run = promisify(execFile)

export interface PgbenchOptions extends LoadOptions {
  readonly script: string
  /** Values of the script's variables, sent as parameters. */
  readonly variables: Readonly<Record<string, string>>
}

/** pgbench's clock runs while it still connects, and 64 password checks take time, so this many seconds are added. */
const connectingSeconds = new Map<number, number>()
const mostConnectingSeconds = 60

export async function runPgbench(cluster: Cluster, options: PgbenchOptions): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-pgbench-'))
  try {
    const file = join(folder, 'page.sql')
    await writeFile(file, options.script)
    for (;;) {
      const more = connectingSeconds.get(options.connections) ?? 0
      const result = readResult(await runOnce(cluster, { ...options, file, more }))
      if (result.seconds >= options.seconds / 2) return result
      if (more > mostConnectingSeconds) throw new Error('pgbench spends all its time on connecting.')
      connectingSeconds.set(options.connections, 2 * more + 1)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

interface OneRun extends PgbenchOptions {
  readonly file: string
  readonly more: number
}

async function runOnce(
  cluster: Cluster,
  { file, more, variables, connections, seconds }: OneRun,
): Promise<string> {
  const { stdout } = await run(
    join(cluster.binFolder, 'pgbench'),
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${connections}`,
      '--jobs=1',
      `--time=${seconds + more}`,
      `--file=${file}`,
      ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      cluster.url,
    ],
    { env: { ...process.env, PGOPTIONS: serverOptions } },
  )
  return stdout
}

/** The settings of every session of the service. */
const serverOptions = settingsOnOneServer.map(([name, value]) => `-c ${name}=${value}`).join(' ')

/** Excludes the time to open the connections. */
function readResult(stdout: string): LoadResult {
  const pages = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1])
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0)
  const failed = Number(/failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
  if (!(pages >= 0) || failed > 0) throw new Error(`pgbench read no pages: ${stdout}`)
  return { pages, seconds: rate === 0 ? 0 : pages / rate }
}
