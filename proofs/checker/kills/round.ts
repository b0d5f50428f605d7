// What each round is given, and what can happen to a command while it runs.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chances.ts'
import type { Ended, Running } from '../start-octavo-command.ts'
import type { Setting } from './setting.ts'

export interface Round extends Setting {
  readonly chance: Chance
  /** Empty. */
  readonly folder: string
  readonly onComplete: () => void
  readonly onProblem: (text: string) => void
}

/** How long a run may take on a machine that has other work. */
const patienceMs = 180_000

export async function endOf({ onProblem }: Round, { child, ended }: Running): Promise<Ended> {
  const late = setTimeout(() => {
    onProblem('a command does not end')
    child.kill('SIGKILL')
  }, patienceMs)
  const end = await ended
  clearTimeout(late)
  return end
}

export interface Killed {
  readonly end: Ended
  /** What was done, in a few words. */
  readonly what: string
}

/**
 * Kills the command, unless it ends by itself before. Half of the time the other side fails first, so that what the command has sent
 * is not done and it has no answer.
 */
export async function killedAfter(round: Round, running: Running, milliseconds: number): Promise<Killed> {
  const { chance } = round
  await Promise.race([sleep(milliseconds), running.ended])
  const struck = chance.below(2) === 0 ? strike(round) : undefined
  if (struck !== undefined) await sleep(chance.below(400))
  running.child.kill('SIGKILL')
  const what = await struck
  const end = await running.ended
  return { end, what: what === undefined ? `${milliseconds} ms` : `${milliseconds} ms and ${what}` }
}

export const saysComplete = ({ code }: Ended): boolean => code === 0

/** A fault of the service or of its database while a command runs, which outlasts it. */
export async function strike({ chance, killService, cluster }: Round): Promise<string> {
  switch (chance.below(3)) {
    case 0:
      await cluster.restart('immediate')
      return 'PostgreSQL shut down'
    case 1:
      await cluster.kill()
      await sleep(chance.below(500))
      await cluster.start()
      return 'PostgreSQL killed'
    default:
      await killService()
      return 'service killed'
  }
}

/** A small disk, which has room for everything once it is made larger; undefined where none can be mounted. */
export function smallDisk(folder: string, kilobytes: number) {
  const disk = mkdtempSync(join(folder, 'disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    rmSync(disk, { recursive: true })
    return undefined
  }
  return {
    folder: disk,
    grow: () => execFileSync('mount', ['-o', 'remount,size=200m', disk], { stdio: 'pipe' }),
    remove: () => {
      execFileSync('umount', ['--lazy', disk])
      rmSync(disk, { recursive: true })
    },
  }
}
