import type { TestRequest, TestService } from './start-test-service.ts'
import type { Answer } from './walk-over-http.ts'

/** The whole answer to a request of any kind. */
export async function answerOf(
  service: Pick<TestService, 'fetch'>,
  path: string,
  init?: TestRequest,
): Promise<Answer> {
  const response = await service.fetch(path, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}
