import { oneLine } from '../output/text-width.ts'
import { ServiceRefused } from './service-errors.ts'

/** Reads an unsuccessful answer. Its body may be anything, because a proxy may have written it. */
export async function readRefusal(response: Response): Promise<ServiceRefused> {
  const text = await response.text().catch(() => '')
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'))
  const again = retryAfterSeconds !== undefined && { retryAfterSeconds }
  // Loaded only now: schemas take longer to load than the rest of the command.
  const { Value } = await import('typebox/value')
  const { errorBodySchema } = await import('@octavo/protocol')
  const body = parsed(text)
  if (Value.Check(errorBodySchema, body)) {
    const { errorName, parameters, errorDescription, errorInstanceId } = body
    // For a failure of the service the user needs its log; a refusal is explained by its sentence.
    const trace = response.status >= 500 ? ` Look for ${errorInstanceId} in the log of the service.` : ''
    const message = `${errorDescription} (${errorName})${trace}`
    return new ServiceRefused({ status: response.status, errorName, parameters, message, ...again })
  }
  const shown = oneLine(text).slice(0, 200)
  return new ServiceRefused({
    status: response.status,
    errorName: '',
    parameters: {},
    message: `${response.url} answered ${response.status}, but not as Octavo does: check the url. The answer began: ${shown}`,
    ...again,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After in seconds. Dates are not parsed, because the service does not send them. */
function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined
}
