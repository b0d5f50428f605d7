// A follower that can be killed, and begins again from its file.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { FollowerOrder, FollowerReport, ReportedState } from './follower-order.ts'

export interface Follower {
  readonly name: string
  readonly start: () => void
  readonly kill: () => Promise<void>
}

export interface FollowerSettings {
  readonly name: string
  /** Called at every start. */
  readonly order: () => FollowerOrder
  readonly heard: (state: ReportedState) => void
  /** Called if the follower ends although nobody has killed it. */
  readonly failed: (why: string) => void
}

export function followerOf({ name, order, heard, failed }: FollowerSettings): Follower {
  let child: ChildProcess | undefined
  return {
    name,
    start: () => {
      const started = fork(new URL('./follower-process.ts', import.meta.url), {
        execArgv: ['--conditions=@octavo/source'],
      })
      child = started
      let why: string | undefined
      started.on('message', (report: FollowerReport) => {
        if (report.kind === 'state') heard(report)
        else why = report.why
      })
      started.once('exit', (code, signal) => {
        if (child === started) failed(`${name} has ended by itself: ${why ?? code ?? signal}`)
      })
      started.send(order())
    },
    kill: async () => {
      const ending = child
      child = undefined
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
      const ended = once(ending, 'exit')
      ending.kill('SIGKILL')
      await ended
    },
  }
}
