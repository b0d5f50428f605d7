// Hundreds of thousands of bad requests: each is answered in the shape of an error, and the service stays unchanged.
import { randomBytes } from 'node:crypto'
import { seededRandom } from '@octavo/model'
import { errorShapeProblems } from '../../packages/service/test/support/error-answer.ts'
import { listing, revisions } from '../../packages/service/test/support/page-revisions.ts'
import { parseAnswer, sendRaw } from '../../packages/service/test/support/send-raw.ts'
import { grantTo, testSubject } from '../../packages/service/test/support/test-access.ts'
import type { Answer } from '../../packages/service/test/support/walk-over-http.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { badBytes } from './bad-bytes.ts'
import { badCall } from './bad-input.ts'
import { targetOf } from './bad-input-target.ts'
import {
  forEachNumber,
  keepAliveClient,
  type Call,
  type KeepAliveClient,
} from '../harness/keep-alive-client.ts'
import type { BadInputTarget } from './spoilt-ontology.ts'
import type { ServedItems } from './serve-items.ts'

const atOnce = 24
const mostGrowthMegabytes = 150
/** A bad request may revoke the caller's own grant: after this many requests it is granted again. */
const requestsPerGrant = 200

export async function proveBadInput(proof: Proof, served: ServedItems): Promise<void> {
  const client = keepAliveClient(served.service.url, atOnce)
  try {
    const target = await targetOf(served, client)
    await proof.point(
      'Bad input to any endpoint is refused with an error body, without a failure and without a memory leak',
      () => showBadInput(proof, served, { client, target }),
    )
    await proof.point('Malformed HTTP is refused with the same body, or the connection is closed', () =>
      showBadBytes(proof, served, target),
    )
    if (proof.short) return
    await proof.point('No random page token is accepted', () =>
      showRandomTokens(proof, served, { client, target }),
    )
  } finally {
    client.close()
  }
}

interface BadInputRun {
  readonly client: KeepAliveClient
  readonly target: BadInputTarget
}

async function showBadInput(
  proof: Proof,
  { service, store }: ServedItems,
  { client, target }: BadInputRun,
): Promise<string> {
  const requests = proof.short ? 10_000 : 1_000_000
  const statuses = new Map<number, number>()
  const byEndpoint = new Map(target.routes.map((route) => [route.description.operationId, new Reached()]))
  const pages = await pagesOf(client, target)
  const problems: string[] = []
  let cutOff = 0
  const sendAll = (count: number, seed: number) =>
    forEachNumber(count, atOnce, async (number) => {
      if (number % requestsPerGrant === 0) {
        await grantTo(store, testSubject, target.spoilt.ontologyRid, 'owner')
      }
      const call = badCall(seededRandom(seed + number), target)
      let answer: Answer
      try {
        answer = await client.send(call)
      } catch {
        cutOff += 1
        return
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      byEndpoint.get(call.operationId)?.count(answer.status)
      const found = problemsOf(call, answer)
      if (found.length > 0)
        problems.push(`${found.join(', ')} to ${describe(call)}: ${answer.text.slice(0, 200)}`)
    })

  const startedAt = performance.now()
  // A process that has just started has not reached its usual memory yet.
  await sendAll(requests / 10, 1)
  const before = service.memory().now
  await sendAll(requests - requests / 10, 1 + requests)
  const perSecond = Math.round(requests / ((performance.now() - startedAt) / 1000))
  const after = service.memory().now
  const seen = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`)
  proof.say(
    `answers: ${seen.join(', ')}; ${cutOff} cut off; ${perSecond} a second; ${before} MB, then ${after} MB`,
  )

  expect(problems.length === 0, `${problems.length} answers are wrong: ${problems.slice(0, 3).join(' | ')}`)
  expectNoFailure(service)
  expect(service.isRunning(), 'the service has ended')
  expect(cutOff === 0, `${cutOff} requests were cut off`)
  expect(after - before < mostGrowthMegabytes, `the service grew from ${before} MB to ${after} MB`)
  // A load whose every request is refused at once would prove little.
  for (const status of [200, 400, 401, 404, 405, 415, 422]) {
    expect((statuses.get(status) ?? 0) > requests / 1_000, `hardly any answer has the status ${status}`)
  }
  // For each endpoint some requests were accepted and some refused, so the invalid ones got as far as possible.
  for (const [operationId, { accepted, refused }] of byEndpoint) {
    expect(accepted > 0 && refused > 0, `${operationId}: ${accepted} accepted, ${refused} refused`)
  }
  expect((await pagesOf(client, target)) === pages, 'the pages are others than before')
  return `${requests.toLocaleString('en')} requests to ${byEndpoint.size} endpoints, 0 answers of 5xx but 503, 0 of another shape`
}

/** A change that conflicts with another may be refused with a request to retry, which is not a failure. */
function expectNoFailure({ failures }: ServedItems['service']): void {
  const found = failures().filter((line) => !line.includes('"errorName":"Overloaded"'))
  expect(found.length === 0, `${found.length} requests failed: ${found[0]}`)
}

class Reached {
  accepted = 0
  refused = 0
  count(status: number): void {
    if (status < 400) this.accepted += 1
    else this.refused += 1
  }
}

/** What both revisions return to a caller who reads everything. */
async function pagesOf(client: KeepAliveClient, target: BadInputTarget): Promise<string> {
  const texts: string[] = []
  for (const revision of revisions) {
    const { path, init } = revision.call(target, {})
    texts.push((await client.send({ path, ...init })).text)
  }
  return texts.join('\n')
}

function problemsOf({ method }: Call, answer: Answer): readonly string[] {
  if (answer.status >= 500 && answer.status !== 503) return [`status ${answer.status}`]
  if (answer.status < 400 || method === 'HEAD') return []
  return errorShapeProblems(answer)
}

const describe = ({ method, path, body }: Call): string =>
  `${method} ${path.slice(0, 300)} ${String(body ?? '').slice(0, 200)}`

async function showBadBytes(proof: Proof, { service }: ServedItems, target: BadInputTarget): Promise<string> {
  const requests = proof.short ? 2_000 : 50_000
  const problems: string[] = []
  let answered = 0
  await forEachNumber(requests, atOnce, async (number) => {
    const bytes = badBytes(seededRandom(5_000_000 + number), target)
    const received = await sendRaw(service.url, bytes, 1_000)
    if (received === '') return
    answered += 1
    // The `100 Continue` before the answer is a separate response.
    const answer = parseAnswer(received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))
    const found = answer.status >= 500 || (answer.status >= 400 && errorShapeProblems(answer).length > 0)
    if (found && !bytes.toString('latin1').startsWith('HEAD')) {
      problems.push(`${JSON.stringify(bytes.toString('latin1').slice(0, 200))}: ${received.slice(0, 300)}`)
    }
  })
  expect(problems.length === 0, `${problems.length} answers are wrong: ${problems[0]}`)
  expectNoFailure(service)
  expect(service.isRunning(), 'the service has ended')
  expect(answered > requests / 2, `only ${answered} of ${requests} were answered`)
  return `${requests.toLocaleString('en')} connections, ${answered.toLocaleString('en')} answered, 0 of another shape`
}

async function showRandomTokens(
  proof: Proof,
  { service }: ServedItems,
  { client, target }: BadInputRun,
): Promise<string> {
  const tokens = proof.short ? 10_000 : 100_000
  const real = Buffer.from(target.tokens[0], 'base64url')
  const others: string[] = []
  await forEachNumber(tokens, atOnce, async (number) => {
    // Half of them start like a real token, so that they get as far as the key.
    const kept = number % 2 === 0 ? 0 : number % 40
    const bytes = Buffer.concat([real.subarray(0, kept), randomBytes(1 + (number % 300))])
    const answer = await client.send(callWith(target, number, bytes.toString('base64url')))
    if (answer.status !== 400 || !answer.text.includes('"reason":"malformed"'))
      others.push(answer.text.slice(0, 200))
  })
  expect(others.length === 0, `${others.length} were answered otherwise: ${others[0]}`)
  expectNoFailure(service)
  return `${tokens.toLocaleString('en')} tokens, 0 accepted`
}

function callWith(target: BadInputTarget, number: number, pageToken: string): Call {
  const revision = revisions[number % 2] ?? listing
  const { path, init } = revision.call(target, { pageToken })
  return { path, ...init }
}
