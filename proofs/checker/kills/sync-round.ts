// `octavo sync`: whatever happens to it, a copy is one state of the service, and at least as late as when a sync began that completes.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostgresCopy, readSqliteCopy, type CopiedTable } from './copies.ts'
import { difference } from './contents.ts'
import { copiedTypes, type CopiedType, type History } from './history.ts'
import { endOf, killedAfter, saysComplete, smallDisk, strike, type Round } from './round.ts'

export interface Synced {
  readonly history: History
  /** Where the copy in SQLite is, from round to round. */
  readonly sqlite: string
}

interface CopyTarget {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly read: () => Promise<readonly CopiedTable[]>
}

const sqliteAt = (path: string): CopyTarget => ({
  words: ['--to', path],
  environment: {},
  read: () => readSqliteCopy(path),
})
const postgresAt = (url: string): CopyTarget => ({
  words: [],
  environment: { OCTAVO_COPY_URL: url },
  read: () => readPostgresCopy(url),
})

export async function syncRound(round: Round, { history, sqlite }: Synced): Promise<string> {
  const { chance, folder, runCommand, copyUrl } = round
  const inPostgres = chance.below(2) === 0
  const target = inPostgres ? postgresAt(copyUrl) : sqliteAt(sqlite)
  const start = (flags: readonly string[] = [], { words, environment } = target) => {
    const began = copiedTypes.map((type) => [type, history.latest(type)] as const)
    const running = runCommand(['sync', ...copiedTypes, ...flags, ...words], folder, environment)
    return { ...running, began }
  }
  const moment = (most: number): number => 300 + chance.below(most)
  const kind = chance.one([
    'killed',
    'killed',
    'killed restarting',
    'following',
    'two',
    'struck',
    'defined',
    'full',
  ] as const)
  const name = `${inPostgres ? 'PostgreSQL' : 'SQLite'}, ${kind}`
  const done: string[] = []
  const kill = async (flags: readonly string[], most: number): Promise<void> => {
    const running = start(flags)
    const { end, what } = await killedAfter(round, running, moment(most))
    done.push(what)
    await tellsRight(round, history, target, saysComplete(end) ? running.began : [], name)
  }
  switch (kind) {
    case 'killed':
      await kill([], 1_800)
      break
    case 'killed restarting':
      for (let i = 0; i <= chance.below(2); i += 1) await kill(['--restart', '--partitions', '3'], 3_000)
      break
    case 'following':
      await kill(['--follow'], 5_000)
      break
    case 'two': {
      const both = [start(), start(chance.one([[], ['--restart']]))]
      for (const running of both) done.push(String((await endOf(round, running)).code))
      await tellsRight(round, history, target, [], name)
      break
    }
    case 'struck': {
      const running = start(chance.one([[], ['--restart']]))
      await sleep(moment(1_500))
      done.push(await strike(round))
      const end = await endOf(round, running)
      await tellsRight(round, history, target, saysComplete(end) ? running.began : [], name)
      break
    }
    case 'defined': {
      const running = start()
      await sleep(chance.below(1_000))
      await history.define()
      const end = await endOf(round, running)
      await tellsRight(round, history, target, saysComplete(end) ? running.began : [], name)
      break
    }
    case 'full':
      return `${name}: ${await onFullDisk(round, history, start)}`
    default:
      throw new TypeError(kind satisfies never)
  }
  const last = start()
  const { code, err } = await endOf(round, last)
  if (code !== 0) round.onProblem(`a sync that nothing hinders ended with ${code}: ${err}`)
  await tellsRight(round, history, target, code === 0 ? last.began : [], `${name}, again`)
  return `${name}: ${done.join(', ')}, again ${code}`
}

type Start = (
  flags: readonly string[],
  target: CopyTarget,
) => ReturnType<Round['runCommand']> & { readonly began: Began }
type Began = readonly (readonly [CopiedType, number])[]

async function onFullDisk(round: Round, history: History, start: Start): Promise<string> {
  const disk = smallDisk(round.folder, 500 + round.chance.below(6_000))
  if (disk === undefined) return 'skipped: a small disk needs root and a system that mounts one'
  try {
    const target = sqliteAt(join(disk.folder, 'copy.sqlite'))
    const codes: (number | null)[] = []
    for (let run = 0; run < 3; run += 1) {
      if (run === 2) disk.grow()
      const running = start([], target)
      const end = await endOf(round, running)
      codes.push(end.code)
      await tellsRight(round, history, target, saysComplete(end) ? running.began : [], 'SQLite, full')
    }
    if (codes.at(-1) !== 0) round.onProblem('a sync with room again does not complete')
    return codes.join(' and ')
  } finally {
    disk.remove()
  }
}

/** If there is a copy, its tables are one state; with what was the latest when a sync began that completed, none is older. */
async function tellsRight(
  round: Round,
  history: History,
  target: CopyTarget,
  began: Began,
  what: string,
): Promise<void> {
  const { onProblem, onComplete } = round
  const tables = await target.read()
  if (began.length > 0) onComplete()
  for (const [type, version] of began) {
    const table = tables.find((one) => one.type === type)
    if (table === undefined || table.version < version)
      onProblem(
        `${what}, and said to be complete: ${type} is at ${table?.version}, and ${version} was there before`,
      )
  }
  if (new Set(tables.map(({ snapshotToken }) => snapshotToken)).size > 1)
    onProblem(`${what}: not one state: ${JSON.stringify(tables.map(({ type, version }) => [type, version]))}`)
  for (const { type, version, rows } of tables) {
    const wrong = difference(rows, await history.at(type as CopiedType, version))
    if (wrong !== undefined) onProblem(`${what}: ${type} is not what it was at ${version}: ${wrong}`)
  }
}
