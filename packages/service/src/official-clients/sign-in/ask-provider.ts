// Sends a form to the identity provider and reads its answer, within a time, a size and a number at once.
import { ServiceError } from '../../base/errors/service-error.ts'
import { ProviderUnreachable, providerAnswersWithinMs } from '../../guard/auth/discovery.ts'

export interface ProviderAnswer {
  readonly status: number
  /** Empty if the answer is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>
}

interface ProviderForm {
  readonly address: string
  readonly form: Readonly<Record<string, string | undefined>>
  /** The client's own credentials, passed on as they are. */
  readonly authorization: string | undefined
}

export type AskProvider = (asked: ProviderForm) => Promise<ProviderAnswer>

const mostBytes = 65_536
const mostAtOnce = 100
const retryAfterSeconds = 5

export function askProvider(): AskProvider {
  let asking = 0
  return async (asked) => {
    if (asking >= mostAtOnce) throw new ServiceError('Overloaded', { retryAfterSeconds })
    asking += 1
    try {
      return await send(asked)
    } catch (error) {
      throw error instanceof ServiceError ? error : unreachable(error)
    } finally {
      asking -= 1
    }
  }
}

/** The client should send the same again, not sign in again. */
export const unreachable = (cause: unknown): ServiceError =>
  new ServiceError('Overloaded', { retryAfterSeconds }, { cause })

async function send({ address, form, authorization }: ProviderForm): Promise<ProviderAnswer> {
  const body = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) body.set(name, value)
  const response = await fetch(address, {
    method: 'POST',
    headers: { accept: 'application/json', ...(authorization !== undefined && { authorization }) },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(providerAnswersWithinMs),
  })
  const text = await textOf(response)
  // A fault of the provider is not the client's mistake, and the next attempt may succeed.
  if (response.status >= 500) throw new ProviderUnreachable(`It answers with the status ${response.status}.`)
  return { status: response.status, body: objectIn(text) }
}

async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > mostBytes) throw new ProviderUnreachable('Its answer is larger than any answer with tokens.')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
