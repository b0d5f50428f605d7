// Clients that keep their connections, walk and write almost without pause, and never retry.
import { setTimeout as sleep } from 'node:timers/promises'
import { searching, type Collection } from '../../packages/service/test/support/page-revisions.ts'
import type { Answer, WirePage } from '../../packages/service/test/support/walk-over-http.ts'
import { keepAliveClient, type Call, type KeepAliveClient } from '../harness/keep-alive-client.ts'

export interface SteadyLoad {
  readonly url: string
  readonly walked: Collection
  readonly walkedKeys: readonly string[]
  readonly written: Collection
  /** A token for each client: each is its own caller, so it is not refused because of other clients on a busy machine. */
  readonly walkers: readonly string[]
  readonly writers: readonly string[]
}

export interface LoadSeen {
  answered: number
  walks: number
  /** Acknowledged commits; each put one object. */
  commits: number
  readonly failures: string[]
}

/** Returns a function that ends the load, once every request in flight is answered, and reports what was seen. */
export function startSteadyLoad(load: SteadyLoad): () => Promise<LoadSeen> {
  const seen: LoadSeen = { answered: 0, walks: 0, commits: 0, failures: [] }
  let ending = false
  const isEnding = () => ending
  const client = keepAliveClient(load.url, load.walkers.length + load.writers.length)
  const sendAs = (token: string) => sendAndCount(client, token, seen)
  const running = [
    ...load.walkers.map((token) => walkOn(load, sendAs(token), seen, isEnding)),
    ...load.writers.map((token, writer) => writeOn(load, sendAs(token), { seen, isEnding, writer })),
  ]
  return async () => {
    ending = true
    await Promise.all(running)
    client.close()
    return seen
  }
}

type Send = (call: Call) => Promise<Answer | undefined>

const pauseMilliseconds = 30

const sendAndCount =
  (client: KeepAliveClient, token: string, seen: LoadSeen): Send =>
  async (call) => {
    const headers = { ...call.headers, authorization: `Bearer ${token}` }
    await sleep(pauseMilliseconds)
    try {
      const answer = await client.send({ ...call, headers })
      if (answer.status === 200) {
        seen.answered += 1
        return answer
      }
      seen.failures.push(`${call.method} ${answer.status} ${answer.text.slice(0, 200)}`)
    } catch (error) {
      seen.failures.push(`${call.method} ${error instanceof Error ? error.message : String(error)}`)
    }
    return undefined
  }

async function walkOn(load: SteadyLoad, send: Send, seen: LoadSeen, isEnding: () => boolean): Promise<void> {
  const expected = load.walkedKeys.join()
  while (!isEnding()) {
    const keys: unknown[] = []
    let pageToken: string | undefined
    do {
      const { path, init } = searching.call(load.walked, { pageSize: 25, snapshot: true, pageToken })
      const answer = await send({ path, ...init })
      // Already counted; it ended the walk.
      if (answer === undefined) break
      const page = JSON.parse(answer.text) as WirePage
      keys.push(...page.data.map(({ properties }) => properties['id']))
      pageToken = page.nextPageToken
      if (pageToken === undefined && keys.join() !== expected) seen.failures.push('a walk was not exact')
      if (pageToken === undefined) seen.walks += 1
    } while (pageToken !== undefined && !isEnding())
  }
}

interface Writing {
  readonly seen: LoadSeen
  readonly isEnding: () => boolean
  readonly writer: number
}

async function writeOn(
  { written }: SteadyLoad,
  send: Send,
  { seen, isEnding, writer }: Writing,
): Promise<void> {
  const path = `/manage/v1/ontologies/${written.ontologyRid}/objectTypes/${written.objectType}/batches`
  for (let number = 0; !isEnding(); number += 1) {
    const line = JSON.stringify({ type: 'put', properties: { id: `${writer}-${number}`, rank: number } })
    const headers = { 'content-type': 'application/x-ndjson' }
    if ((await send({ method: 'POST', path, headers, body: `${line}\n` })) !== undefined) seen.commits += 1
  }
}
