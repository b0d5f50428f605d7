// Batches of the largest size that is read into memory, of the widest type: what they cost the process, and other callers.
import { setTimeout as sleep } from 'node:timers/promises'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { longQueue, startService } from '../harness/service-process.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'
import { watchLiveness } from './watch-liveness.ts'

const columns = 200
const atOnce = 5
const bodyBytes = 8 * 1024 * 1024
const mostMegabytes = 600
const mostMilliseconds = 200

export const proveWideUploads = (proof: Proof): Promise<void> =>
  proof.point(
    `Uploads of 8 MiB to a type with ${columns} columns, ${atOnce} at once, leave the process below ${mostMegabytes} MB and answering within ${mostMilliseconds} ms`,
    () => withServedLoad((served) => wideUploads(proof, served)),
  )

async function wideUploads(proof: Proof, { databaseUrl, store, ontology }: ServedLoad): Promise<string> {
  const names = Array.from({ length: columns }, (_, i) => `n${i}`)
  await store.applyObjectType(ontology, {
    apiName: 'wide',
    displayName: 'Wide',
    primaryKey: 'id',
    titleProperty: 'id',
    properties: {
      id: { type: 'integer' },
      ...Object.fromEntries(names.map((name) => [name, { type: 'integer' as const, searchable: true }])),
    },
  })
  // The same objects every time: the first upload writes them; the others cost the process as much, but the disk nothing.
  const puts = linesUpTo(bodyBytes, (id) => ({
    type: 'put',
    properties: { id, ...Object.fromEntries(names.map((name, i) => [name, id + i])) },
  }))
  // The shortest possible lines, and so the most of them.
  const deletes = linesUpTo(bodyBytes, (id) => ({ type: 'delete', primaryKey: 1_000_000 + id }))
  const service = await startService({ databaseUrl: databaseUrl, environment: longQueue })
  const stopWatching = await watchLiveness(service.url)
  try {
    const uploads = proof.short ? 6 : 100
    const refusals: string[] = []
    let sent = 0
    let waits = 0
    const client = async (): Promise<void> => {
      while (sent < uploads) {
        const body = sent % 2 === 0 ? puts : deletes
        sent += 1
        const upload = () =>
          fetch(`${service.url}/manage/v1/ontologies/${ontology.rid}/objectTypes/wide/batches`, {
            method: 'POST',
            headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/x-ndjson' },
            body,
          })
        let answer = await upload()
        // One caller may not take all of the memory for bodies: the answer says when to retry (P166).
        for (; answer.status === 503; answer = await upload()) {
          await answer.text()
          waits += 1
          await sleep(Number(answer.headers.get('retry-after')) * 1_000)
        }
        const text = await answer.text()
        if (answer.status !== 200) refusals.push(`${answer.status} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, client))
    const { asked, p99, worst } = await stopWatching()
    const { most } = service.memory()
    const figures = `${uploads} uploads, ${waits} retried, at most ${most} MB; /health/live answered ${asked} times, p99 ${p99.toFixed(0)} ms, at worst ${worst.toFixed(0)} ms`
    proof.say(figures)
    expect(refusals.length === 0, `an upload was refused: ${refusals[0]}`)
    expect(asked >= 100, `/health/live was asked only ${asked} times`)
    expect(most < mostMegabytes, `the process took ${most} MB`)
    expect(p99 < mostMilliseconds, `p99 of /health/live was ${p99.toFixed(0)} ms`)
    return figures
  } finally {
    await stopWatching()
    await service.stop()
  }
}

function linesUpTo(bytes: number, line: (number: number) => object): string {
  const lines: string[] = []
  for (let length = 0, number = 0; ; number += 1) {
    const text = `${JSON.stringify(line(number))}\n`
    length += text.length
    if (length > bytes) return lines.join('')
    lines.push(text)
  }
}
