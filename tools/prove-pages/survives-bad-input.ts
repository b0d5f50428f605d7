// Hundreds of thousands of bad requests: each is answered in the shape of an error, and the service stays as it was.
import { randomBytes } from 'node:crypto'
import { errorShapeProblems } from '../../packages/service/src/testing/error-answer.ts'
import { listing, revisions, searching } from '../../packages/service/src/testing/page-revisions.ts'
import { parseAnswer, sendRaw } from '../../packages/service/src/testing/send-raw.ts'
import { seededRandom } from '../../packages/service/src/testing/store-model/seeded-random.ts'
import type { Answer, WirePage } from '../../packages/service/src/testing/walk-over-http.ts'
import { expect, type Proof } from '../prove.ts'
import { badBytes, badCall, type BadInputTarget } from './bad-input.ts'
import { forEachNumber, keepAliveClient, type Call, type KeepAliveClient } from './keep-alive-client.ts'
import type { ServedItems } from './serve-items.ts'

const atOnce = 24
const mostGrowthMegabytes = 150

export async function proveBadInput(proof: Proof, served: ServedItems): Promise<void> {
  const client = keepAliveClient(served.service.url, atOnce)
  try {
    const target = await targetOf(served, client)
    await proof.point(
      'Bad input is refused in the shape of an error, without a failure and without growth',
      () => showBadInput(proof, served, { client, target }),
    )
    await proof.point('What is hardly HTTP is refused in the same shape, or cut off', () =>
      showBadBytes(proof, served, target),
    )
    await proof.point('Of random page tokens none is accepted', () =>
      showRandomTokens(proof, served, { client, target }),
    )
  } finally {
    client.close()
  }
}

interface Parts {
  readonly client: KeepAliveClient
  readonly target: BadInputTarget
}

async function showBadInput(
  proof: Proof,
  { service }: ServedItems,
  { client, target }: Parts,
): Promise<string> {
  const requests = proof.short ? 20_000 : 1_000_000
  const statuses = new Map<number, number>()
  const problems: string[] = []
  let cutOff = 0
  const sendAll = (count: number, seed: number) =>
    forEachNumber(count, atOnce, async (number) => {
      const call = badCall(seededRandom(seed + number), target)
      let answer: Answer
      try {
        answer = await client.send(call)
      } catch {
        cutOff += 1
        return
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      const found = problemsOf(call, answer)
      if (found.length > 0)
        problems.push(`${found.join(', ')} to ${describe(call)}: ${answer.text.slice(0, 200)}`)
    })

  const startedAt = performance.now()
  // A process that has just started has not taken what it needs yet.
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
  expect(service.failures().length === 0, `a request failed: ${service.failures()[0]}`)
  expect(service.isRunning(), 'the service has ended')
  expect(cutOff === 0, `${cutOff} requests were cut off`)
  expect(after - before < mostGrowthMegabytes, `the service grew from ${before} MB to ${after} MB`)
  // A load whose every request is refused at the door would show little.
  for (const status of [200, 400, 401, 404, 405, 415, 422]) {
    expect((statuses.get(status) ?? 0) > requests / 1_000, `hardly any answer has the status ${status}`)
  }
  return `${requests.toLocaleString('en')} requests, 0 answers of 5xx, 0 of another shape`
}

function problemsOf({ method }: Call, answer: Answer): readonly string[] {
  if (answer.status >= 500) return [`status ${answer.status}`]
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
    // Bytes before an answer to an expectation are one of their own.
    const answer = parseAnswer(received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''))
    const found = answer.status >= 500 || (answer.status >= 400 && errorShapeProblems(answer).length > 0)
    if (found && !bytes.toString('latin1').startsWith('HEAD')) {
      problems.push(`${JSON.stringify(bytes.toString('latin1').slice(0, 200))}: ${received.slice(0, 300)}`)
    }
  })
  expect(problems.length === 0, `${problems.length} answers are wrong: ${problems[0]}`)
  expect(service.failures().length === 0, `a request failed: ${service.failures()[0]}`)
  expect(service.isRunning(), 'the service has ended')
  expect(answered > requests / 2, `only ${answered} of ${requests} were answered`)
  return `${requests.toLocaleString('en')} connections, ${answered.toLocaleString('en')} answered, 0 of another shape`
}

async function showRandomTokens(
  proof: Proof,
  { service }: ServedItems,
  { client, target }: Parts,
): Promise<string> {
  const tokens = proof.short ? 10_000 : 100_000
  const real = Buffer.from(target.tokens[0], 'base64url')
  const others: string[] = []
  await forEachNumber(tokens, atOnce, async (number) => {
    // Half of them begin as a real one does, so that they get as far as the key.
    const kept = number % 2 === 0 ? 0 : number % 40
    const bytes = Buffer.concat([real.subarray(0, kept), randomBytes(1 + (number % 300))])
    const answer = await client.send(callWith(target, number, bytes.toString('base64url')))
    if (answer.status !== 400 || !answer.text.includes('"reason":"malformed"'))
      others.push(answer.text.slice(0, 200))
  })
  expect(others.length === 0, `${others.length} were answered otherwise: ${others[0]}`)
  expect(service.failures().length === 0, `a request failed: ${service.failures()[0]}`)
  return `${tokens.toLocaleString('en')} tokens, 0 accepted`
}

function callWith(target: BadInputTarget, number: number, pageToken: string): Call {
  const revision = revisions[number % 2] ?? listing
  const { path, init } = revision.call(target, { pageToken })
  return { path, ...init }
}

async function targetOf({ collection }: ServedItems, client: KeepAliveClient): Promise<BadInputTarget> {
  const tokens: string[] = []
  for (const revision of [listing, searching]) {
    for (const snapshot of [false, true]) {
      const { path, init } = revision.call(collection, { pageSize: 3, snapshot })
      const answer = await client.send({ path, ...init })
      tokens.push((JSON.parse(answer.text) as WirePage).nextPageToken ?? '')
    }
  }
  const [first = '', ...rest] = tokens
  return { ...collection, tokens: [first, ...rest] }
}
