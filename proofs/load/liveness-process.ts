// Polls the liveness of a service, in a process that does nothing else; see watch-liveness.ts.
import { setTimeout as sleep } from 'node:timers/promises'

const everyMilliseconds = 20
const [url] = process.argv.slice(2)
const times: number[] = []
const stopped = new AbortController()
process.once('message', () => stopped.abort())
process.send?.('ready')
while (!stopped.signal.aborted) {
  const since = performance.now()
  await (await fetch(`${url}/health/live`)).text()
  times.push(performance.now() - since)
  await sleep(everyMilliseconds)
}
process.send?.(times)
