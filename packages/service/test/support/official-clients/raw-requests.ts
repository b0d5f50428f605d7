// Requests without a client.
import { testToken } from '../test-access.ts'

export interface RawAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const answerOf = async (response: Response): Promise<RawAnswer> => ({
  status: response.status,
  body: (await response.json()) as RawAnswer['body'],
})

const sent = { authorization: `Bearer ${testToken}`, accept: 'application/json' }

export const get = async (url: string, path: string): Promise<RawAnswer> =>
  answerOf(await fetch(url + path, { headers: sent }))

export const post = async (url: string, path: string, body?: unknown): Promise<RawAnswer> =>
  answerOf(
    await fetch(url + path, {
      method: 'POST',
      headers: { ...sent, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
