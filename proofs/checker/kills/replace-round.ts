// `octavo replace`: whatever happens to it, the type is what it was or exactly the file, and the file once it is said to be.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentsOf, difference, readContents, type Contents } from './contents.ts'
import { endOf, killedAfter, saysComplete, strike, type Round } from './round.ts'
import type { Ended } from '../start-octavo-command.ts'
import { manyThings } from './things.ts'

export const replacedType = 'replaced'

export async function replaceRound(round: Round, before: Contents): Promise<readonly [string, Contents]> {
  const { chance, folder, runCommand } = round
  const things = manyThings(chance)
  writeFileSync(join(folder, 'all.ndjson'), things.map((thing) => `${JSON.stringify(thing)}\n`).join(''))
  const after = contentsOf(things)
  const words = ['replace', replacedType, 'all.ndjson', '--yes', '--max-deletions', '100%']
  const start = () => runCommand(words, folder)
  const tellsRight = async (end: Ended, what: string): Promise<void> => {
    const got = await readContents(round.ask, replacedType)
    const isAfter = difference(got, after)
    if (saysComplete(end)) round.onComplete()
    if (saysComplete(end) && isAfter !== undefined)
      round.onProblem(`${what}, and said to be complete: ${isAfter}`)
    if (isAfter !== undefined && difference(got, before) !== undefined)
      round.onProblem(`${what}: neither the file nor what was there: ${isAfter}`)
  }
  const moment = (): number => 100 + chance.below(3_000)
  const kind = chance.one(['killed', 'struck', 'side by side'] as const)
  const done: string[] = []
  switch (kind) {
    case 'killed':
      for (let i = 0; i <= chance.below(3); i += 1) {
        const { end, what } = await killedAfter(round, start(), moment())
        done.push(what)
        await tellsRight(end, 'replace, killed')
      }
      break
    case 'struck': {
      const running = start()
      await sleep(moment())
      done.push(await strike(round))
      await tellsRight(await endOf(round, running), `replace, ${done.join()}`)
      break
    }
    case 'side by side': {
      const first = start()
      await sleep(chance.below(1_000))
      for (const end of await Promise.all([endOf(round, first), endOf(round, start())])) {
        done.push(String(end.code))
        await tellsRight(end, 'replace, side by side')
      }
      break
    }
    default:
      throw new TypeError(kind satisfies never)
  }
  const last = await endOf(round, start())
  await tellsRight(last, 'replace, run again')
  if (!saysComplete(last))
    round.onProblem(`a replace that nothing hinders ended with ${last.code}: ${last.err}`)
  return [`${kind}: ${done.join(', ')}, again ${last.code}`, after]
}
