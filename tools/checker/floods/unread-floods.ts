// Answers that are never read.
import { request } from 'node:http'
import type { Flood } from './flood.ts'

const connections = 200

const unread =
  (accept: string): Flood =>
  async ({ url, tokens }) => {
    for (let i = 0; i < connections; i += 1) {
      const asked = request(`${url}/api/one/v1/objects/types/text/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.flooding}`, 'content-type': 'application/json', accept },
      })
      asked.on('response', (answer) => answer.pause())
      asked.on('error', () => {})
      asked.end(
        JSON.stringify({
          query: { type: 'empty' },
          ...(accept === 'application/json' && { pageSize: 1_000 }),
        }),
      )
    }
  }

export const unreadFloods = {
  'unread-streams': unread('application/x-ndjson'),
  'unread-pages': unread('application/json'),
} satisfies Readonly<Record<string, Flood>>
