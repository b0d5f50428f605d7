// Answers that are never read.
import { request } from 'node:http'
import type { Flood } from './flood.ts'

const connections = 200

const unread =
  (verb: 'search' | 'export'): Flood =>
  async ({ url, tokens }) => {
    for (let i = 0; i < connections; i += 1) {
      const asked = request(`${url}/api/one/v1/objects/types/text/${verb}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokens.flooding}`, 'content-type': 'application/json' },
      })
      asked.on('response', (answer) => answer.pause())
      asked.on('error', () => {})
      asked.end(
        JSON.stringify({
          query: { type: 'empty' },
          pageSize: 1_000,
        }),
      )
    }
  }

export const unreadFloods = {
  'unread-streams': unread('export'),
  'unread-pages': unread('search'),
} satisfies Readonly<Record<string, Flood>>
