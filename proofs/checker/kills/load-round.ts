// `octavo load`: each object is what it was or what the file says, and all are what the file says once the load is said to be complete.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentsOf, definitionOf, difference, readContents, type Contents, type Thing } from './contents.ts'
import { endOf, killedAfter, saysComplete, smallDisk, strike, type Round } from './round.ts'
import type { Ended } from '../start-octavo-command.ts'
import { manyThings } from './things.ts'

/** Loads into a new type, empty or not, so that every way of writing a load is killed. */
export async function loadRound(round: Round, type: string): Promise<string> {
  const { chance, folder, ask, rid } = round
  const managed = `/manage/v1/ontologies/${rid}/objectTypes/${type}`
  await ask('PUT', managed, definitionOf(type))
  const before = chance.below(3) === 0 ? [] : manyThings(chance)
  for (let from = 0; from < before.length; from += 2_000) {
    const puts = before
      .slice(from, from + 2_000)
      .map((properties) => JSON.stringify({ type: 'put', properties }))
    await ask('POST', `${managed}/batches`, puts.join('\n'))
  }
  // Another seed of values for the same keys.
  const things = manyThings(chance)
  writeFileSync(join(folder, 'some.ndjson'), linesOf(things))
  return play({ ...round, type, things, old: contentsOf(before) })
}

const linesOf = (things: readonly Thing[]): string =>
  things.map((thing) => `${JSON.stringify(thing)}\n`).join('')

interface LoadRound extends Round {
  readonly type: string
  readonly things: readonly Thing[]
  readonly old: Contents
}

async function play(round: LoadRound): Promise<string> {
  const { chance, folder, type, runCommand } = round
  const words = [
    'load',
    type,
    join(folder, 'some.ndjson'),
    '--batch-bytes',
    chance.one(['20000', '20000', '200000', '1048576']),
  ]
  const start = (flag = '', at = folder) => runCommand(flag === '' ? words : [...words, flag], at)
  const again = (): string => chance.one(['--resume', '--resume', '--restart'])
  const moment = (): number => chance.one([0, 100, 1_000]) + chance.below(chance.one([200, 1_500]))
  const done: string[] = []
  let end: Ended
  const kind = chance.one(['killed', 'killed', 'struck', 'side by side', 'full'] as const)
  switch (kind) {
    case 'killed': {
      let flag = ''
      end = { code: null, out: '', err: '' }
      for (let i = 0; i <= chance.below(3) && !saysComplete(end); i += 1) {
        const running = start(flag)
        // Half of the time it is known to be sending.
        const hasBegun = () => existsSync(join(folder, 'some.ndjson.octavo-load.json'))
        if (chance.below(2) === 0) await Promise.race([until(hasBegun), running.ended])
        const killed = await killedAfter(round, running, moment())
        ;({ end } = killed)
        await tellsRight(round, end, `load, killed after ${killed.what}`)
        done.push(`${killed.what}${flag}`)
        flag = again()
      }
      break
    }
    case 'struck': {
      const running = start()
      await sleep(moment())
      done.push(await strike(round))
      end = await endOf(round, running)
      await tellsRight(round, end, `load, ${done.join()}`)
      break
    }
    case 'side by side': {
      const first = start()
      await sleep(chance.below(600))
      const ends = await Promise.all([endOf(round, first), endOf(round, start(chance.one(['', '--resume'])))])
      for (const one of ends) await tellsRight(round, one, 'load, side by side')
      done.push(ends.map(({ code }) => code).join(' and '))
      end = ends.find(saysComplete) ?? { code: null, out: '', err: '' }
      break
    }
    case 'full': {
      const disk = smallDisk(folder, 4 * (1 + chance.below(2)))
      if (disk === undefined) return 'skipped: a small disk needs root and a system that mounts one'
      try {
        writeFileSync(join(disk.folder, 'theirs'), Buffer.alloc(chance.below(8_192)))
      } catch {
        // It is full already.
      }
      try {
        end = await endOf(round, start('', disk.folder))
        await tellsRight(round, end, 'load, with a full disk')
        done.push(`disk ${end.code}`)
        disk.grow()
        if (!saysComplete(end)) {
          end = await endOf(round, start('--resume', disk.folder))
          if (!saysComplete(end)) end = await endOf(round, start('--restart', disk.folder))
          await tellsRight(round, end, 'load, with room again')
        }
      } finally {
        disk.remove()
      }
      break
    }
    default:
      throw new TypeError(kind satisfies never)
  }
  return `${kind}: ${done.join(', ')}, ${await finish(round, end, start)}`
}

/** The load completes when it is resumed, or started again if there is nothing to resume. */
async function finish(
  round: LoadRound,
  end: Ended,
  start: (flag: string) => ReturnType<Round['runCommand']>,
): Promise<string> {
  if (saysComplete(end)) return 'complete'
  let last = end
  for (const flag of ['--resume', '--restart']) {
    last = await endOf(round, start(flag))
    await tellsRight(round, last, `load ${flag}`)
    if (saysComplete(last)) return flag
  }
  round.onProblem(`a load that nothing hinders ended with ${last.code}: ${last.err}`)
  return 'incomplete'
}

async function until(condition: () => boolean): Promise<void> {
  for (const since = Date.now(); !condition() && Date.now() - since < 10_000;) await sleep(5)
}

/** Objects that are not in the file stay. */
async function tellsRight(round: LoadRound, end: Ended, what: string): Promise<void> {
  const { ask, type, things, old, onComplete, onProblem } = round
  const got = await readContents(ask, type)
  const file = contentsOf(things)
  if (saysComplete(end)) {
    onComplete()
    const wrong = difference(got, new Map([...old, ...file]))
    if (wrong !== undefined) onProblem(`${what}, and said to be complete: ${wrong}`)
    return
  }
  const torn = [...got].find(([key, text]) => text !== old.get(key) && text !== file.get(key))
  const lost = [...old.keys()].find((key) => !got.has(key))
  if (torn !== undefined)
    onProblem(`${what}: an object is neither what it was nor as in the file: ${torn.join(' ')}`)
  if (lost !== undefined) onProblem(`${what}: an object is lost: ${lost}`)
}
