import type { AskOctavo } from '@octavo/agents'
import type { Connection } from './connection.ts'
import { ServiceRefused } from './service-errors.ts'
import { CliError } from '../base/cli-error.ts'

/** An agent waits for its answer, so a service that is not there is reported early. */
const retrySeconds = 10

/** How the tools of agents ask a service over HTTP, with the retries of every command. */
export const askOverHttp =
  (connection: Connection): AskOctavo =>
  async ({ path, body }, signal) => {
    try {
      const answer = await connection.json<unknown>({
        method: body === undefined ? 'GET' : 'POST',
        path,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
        retrySeconds,
        signal,
      })
      return { status: 200, body: answer }
    } catch (error) {
      if (error instanceof ServiceRefused && error.errorName !== '') return refused(error)
      if (!(error instanceof CliError)) throw error
      const { ToolError } = await import('@octavo/agents')
      throw new ToolError(error.message)
    }
  }

/** The message ends with the name of the error, which the tools add themselves. */
const refused = ({ status, errorName, parameters, message }: ServiceRefused) => ({
  status,
  body: { errorName, parameters, errorDescription: message.replace(` (${errorName})`, '') },
})
