// Asynchronous failovers, each of which loses states that followers have.
import { setTimeout as sleep } from 'node:timers/promises'
import { askServer } from '../../packages/service/test/support/serve-with-standby.ts'
import { commit } from '../harness/faults/write-continuously.ts'
import { answersAgain } from '../harness/faults/recovery.ts'
import { expect } from '../harness/prove.ts'
import type { FollowedLoad, Judged } from './follower-load.ts'
import type { FollowerRun } from './follower-run.ts'

const mostSeconds = 60
const restarted = 'restart: historyChanged'

/**
 * The standby is cut off, and everything after that is lost. The followers come to a state with a lost object, all but one, which was
 * killed before and has a state that is kept.
 */
export async function loseStates(run: FollowerRun, number: number): Promise<void> {
  const { pair, load, type, random } = run
  const [late, ...others] = load.followers
  await late.follower.kill()
  await pair.cutOffStandby()
  // No writer has this key: after the failover it is never written again.
  const lost = { key: `x${String(number).padStart(4, '0')}`, edition: load.writing.nextEdition() }
  const version = Number((await commit(load.writing, `lost-${number}`, [lost])).version)
  const uncaught = [...load.mutants.values()].filter(({ judge }) => judge.wrong.length === 0)
  await untilEach(
    load,
    [...others, ...uncaught],
    `at version ${version}`,
    // A mutant is ended when it is caught.
    ({ judge }) => judge.reached >= version || judge.wrong.length > 0,
  )
  await sleep(random.below(1_000))

  const before = others.map(({ judge }) => judge.came.get(restarted) ?? 0)
  const mend = await pair.failOver(async (promoted) => {
    const [row] = await askServer(
      promoted,
      `select max(version) as version from ${type.tables.commits} where object_type = ${type.id}`,
    )
    const survived = Number(row?.['version'])
    expect(survived < version, `the failover has lost nothing: version ${survived} is there`)
    load.failovers.push({ survived, openedAt: Date.now() })
  })
  late.follower.start()
  const states = late.judge.states
  await answersAgain(run.answering)
  await untilEach(load, others, 'notified that its state was lost', ({ judge }) => {
    const i = others.findIndex((other) => other.judge === judge)
    return (judge.came.get(restarted) ?? 0) > (before[i] ?? 0)
  })
  // From its file, and by changes.
  await untilEach(load, [late], 'following again', ({ judge }) => judge.states >= states + 2)
  await mend()
}

async function untilEach(
  load: FollowedLoad,
  followers: readonly Judged[],
  what: string,
  isSo: (judged: Judged) => boolean,
): Promise<void> {
  const until = performance.now() + mostSeconds * 1_000
  for (const judged of followers) {
    while (!isSo(judged)) {
      load.throwIfFailed()
      const { wrong, reached, came } = judged.judge
      expect(
        performance.now() < until,
        `${judged.follower.name} is not ${what} within ${mostSeconds} s; it is at version ${reached}, and came to its states by ${JSON.stringify([...came])}. ${wrong[0] ?? ''}`,
      )
      await sleep(50)
    }
  }
}
