import { openLoopAnswers, type LoopAnswer } from '../harness/open-loop.ts'
import { quantile } from '../harness/statistics.ts'
import type { LoadOrder, LoadReport, Outcome, StreamReport } from './load-order.ts'

const expected = new Set([200, 429, 503])

/** Infinity cannot be passed from one process to another. */
const never = Number.MAX_SAFE_INTEGER

process.once('message', (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report, () => process.disconnect()))
})

const run = ({ url, seconds, streams }: LoadOrder): Promise<LoadReport> =>
  Promise.all(
    streams.map(async ({ name, ...stream }) =>
      reportOf(name, await openLoopAnswers({ url, seconds, inTurn: true, ...stream }, expected), seconds),
    ),
  )

function reportOf(name: string, answers: readonly LoopAnswer[], seconds: number): StreamReport {
  const isPage = ({ status }: LoopAnswer) => status === 200
  const accepted = answers.filter(isPage)
  const refused = answers.filter((answer) => !isPage(answer))
  const last = ({ dueAt }: LoopAnswer) => dueAt >= (seconds - 1) * 1_000
  const endedAt = answers.reduce((last, { dueAt, milliseconds }) => Math.max(last, dueAt + milliseconds), 0)
  return {
    name,
    accepted: outcomeOf(accepted),
    refused: outcomeOf(refused),
    p95: quantile([...accepted.map(({ milliseconds }) => milliseconds), ...refused.map(() => never)], 0.95),
    lastSecond: { accepted: accepted.filter(last).length, refused: refused.filter(last).length },
    seconds: endedAt / 1_000,
  }
}

function outcomeOf(answers: readonly LoopAnswer[]): Outcome {
  const times = answers.map(({ milliseconds }) => milliseconds)
  const at = (share: number) => (times.length === 0 ? 0 : quantile(times, share))
  return { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1) }
}
