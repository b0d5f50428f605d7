// Measures how long it takes until pages and commits are answered again.
import { setTimeout as sleep } from 'node:timers/promises'
import { testToken } from '../../../packages/service/test/support/test-access.ts'

export interface Answering {
  readonly url: string
  readonly ontologyRid: string
  readonly objectType: string
  readonly commits: () => number
}

const mostMilliseconds = 60_000

/** Milliseconds from now until a page is answered and a commit acknowledged. */
export async function answersAgain(answering: Answering): Promise<number> {
  const from = performance.now()
  const commitsBefore = answering.commits()
  let page = 'none'
  while (performance.now() - from < mostMilliseconds) {
    if (page !== '200') page = await askForPage(answering)
    if (page === '200' && answering.commits() > commitsBefore) return performance.now() - from
    await sleep(20)
  }
  const missing = page === '200' ? 'a commit' : `a page (the last answer was ${page})`
  throw new Error(`the service did not answer ${missing} within ${mostMilliseconds / 1_000} s of a fault`)
}

/** The status, or the error. */
async function askForPage({ url, ontologyRid, objectType }: Answering): Promise<string> {
  try {
    const response = await fetch(`${url}/api/v1/ontologies/${ontologyRid}/objects/${objectType}?pageSize=1`, {
      headers: { authorization: `Bearer ${testToken}` },
      signal: AbortSignal.timeout(3_000),
    })
    const text = await response.text()
    return response.ok ? '200' : `${response.status} ${text.slice(0, 300)}`
  } catch (error) {
    return String(error)
  }
}
