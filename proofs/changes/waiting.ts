// Many followers of one type wait on one instance: their cost while nothing happens, and how soon all of them have the next change.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@octavo/dev-database'
import { cpuSecondsOf, residentMegabytes } from '../harness/cpu-time.ts'
import { quantile } from '../harness/statistics.ts'
import { readState } from '../../packages/service/test/support/changes-over-http.ts'
import { loadItems, putItems } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { apiFamily, askedOf } from '../harness/known-states.ts'

export async function proveWaiting(proof: Proof): Promise<void> {
  const followers = proof.short ? 500 : 10_000
  await proof.point(
    `${followers.toLocaleString('en')} followers wait on one instance: less than 5 % of a processor, 600 MB, all answered within 3 s of a commit`,
    async () => {
      const metricsPort = await freePort()
      return withServedCollection((served) => showWaiting(proof, served, { followers, metricsPort }), {
        OCTAVO_MAX_CONNECTIONS: String(followers + 100),
        OCTAVO_METRICS_PORT: String(metricsPort),
      })
    },
  )
}

interface Crowd {
  readonly followers: number
  readonly metricsPort: number
}

/** As many connections may wait to be accepted; the operating system refuses more than 511. */
const mostUnaccepted = 100
/** As many may have asked and not begun to wait. */
const mostArriving = 500

async function showWaiting(
  proof: Proof,
  served: ServedCollection,
  { followers, metricsPort }: Crowd,
): Promise<string> {
  const { store, ontology, url, service } = served
  const { type } = await loadItems(store, ontology, 100, 'watched')
  const asks = { objectType: 'watched', apiFamily, asks: {} }
  const { snapshotToken: since } = await readState(askedOf(url), asks)
  const path = `/api/${apiFamily}/v1/objects/types/watched/changes`
  const answered: number[] = []
  const failures: string[] = []
  // Each keeps its own connection, as followers do: it is open before the 30 seconds begin.
  const agents = Array.from({ length: followers }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const openConnection = (agent: Agent): Promise<void> =>
    new Promise((resolve, reject) => {
      const asking = request(`${url}/health/live`, { agent }, (response) => {
        response.resume().on('end', resolve)
      })
      asking.on('error', reject).end()
    })
  for (let i = 0; i < followers; i += mostUnaccepted) {
    await Promise.all(agents.slice(i, i + mostUnaccepted).map(openConnection))
  }
  const body = JSON.stringify({ fromSnapshotToken: since, waitSeconds: 30 })
  const wait = (agent: Agent): Promise<void> =>
    new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${testToken}`,
        'content-type': 'application/json',
        'content-length': body.length,
      }
      const asking = request(`${url}${path}`, { method: 'POST', agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (some: string) => {
          text += some
        })
        response.on('end', () => {
          answered.push(performance.now())
          if (response.statusCode !== 200 || !text.includes('"awaited"')) failures.push(text.slice(0, 200))
          resolve()
        })
      })
      const fail = ({ message }: Error): void => {
        failures.push(message)
        resolve()
      }
      asking.on('error', fail).end(body)
    })
  const isQuiet = (): boolean => answered.length === 0 && failures.length === 0
  const waiting: Promise<void>[] = []
  const cpuBefore = cpuSecondsOf([service.pid])
  for (let arrived = 0; arrived < followers && isQuiet(); arrived = await waitingOn(metricsPort)) {
    for (const agent of agents.slice(waiting.length, arrived + mostArriving)) waiting.push(wait(agent))
    await sleep(200)
  }
  const joinMs = ((cpuSecondsOf([service.pid]) - cpuBefore) * 1_000) / followers
  // The audit of the requests is written in the second after them.
  await sleep(1_500)
  // In one of these seconds, the memory that asking took is collected.
  const shares: number[] = []
  while (shares.length < 9) {
    const cpu = cpuSecondsOf([service.pid])
    await sleep(1_000)
    shares.push(cpuSecondsOf([service.pid]) - cpu)
  }
  const share = quantile(shares, 0.5)
  const memory = residentMegabytes(service.pid)
  expect(
    isQuiet(),
    `${answered.length} were answered before all of them waited and anything changed (asking took ${joinMs.toFixed(1)} ms of a processor each: was the machine busy with something else?), the first failure is ${failures[0]}`,
  )
  const committedAt = performance.now()
  await putItems(store, type, [{ id: 'awaited', rank: 1 }])
  await Promise.all(waiting)
  for (const agent of agents) agent.destroy()
  expect(failures.length === 0, `${failures.length} failed, the first with ${failures[0]}`)
  const after = answered.map((at) => at - committedAt)
  const last = quantile(after, 1)
  const text = `${(100 * share).toFixed(1)} % of a processor (${(100 * quantile(shares, 1)).toFixed(0)} % in the worst of ${shares.length} seconds), ${memory.toFixed(0)} MB, answered after ${quantile(after, 0.5).toFixed(0)} ms, the last after ${last.toFixed(0)} ms; to ask took ${joinMs.toFixed(1)} ms of a processor each`
  expect(proof.short || (share < 0.05 && memory < 600 && last < 3_000), text)
  return text
}

/** How many wait, as the service itself says. */
async function waitingOn(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^octavo_requests_waiting_for_changes (\d+)$/m.exec(text)?.[1])
}
