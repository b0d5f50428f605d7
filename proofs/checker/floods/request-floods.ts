// Requests that take long, twenty at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { asking, type Call } from '../access/serve.ts'
import type { Flood } from './flood.ts'
import { keyOf, words } from './types.ts'

const atOnce = 20

const requestsOf =
  (call: Call): Flood =>
  async (flooded) => {
    const ask = asking(flooded, flooded.tokens.flooding)
    const again = async (): Promise<void> => {
      for (;;) {
        const status = await ask(call).then(
          (answer) => answer.status,
          () => 0,
        )
        if (status !== 200) await sleep(20)
      }
    }
    for (let i = 0; i < atOnce; i += 1) void again()
  }

const small = '/api/one/v1/objects/types/small'
const search = (path: string, query: object): Call => ({
  method: 'POST',
  path: `${path}/search`,
  body: { query, pageSize: 1_000 },
})
const not = (value: object): object => ({ type: 'not', value })
const linked = (link: string, query: object): object => ({ type: 'linked', link, query })

export const requestFloods = {
  'scans-of-texts': requestsOf(
    search('/api/one/v1/objects/types/text', {
      type: 'and',
      value: [
        not({ type: 'keyword', query: words[0] }),
        not({ type: 'phrase', field: 't', value: 'never there' }),
        not({ type: 'prefix', field: 'u', value: 'zz zz' }),
      ],
    }),
  ),
  'linked-three-deep': requestsOf(
    search(
      small,
      linked('manies', linked('many', linked('manies', { type: 'gte', field: 'n', value: 100 }))),
    ),
  ),
  aggregates: requestsOf({
    method: 'POST',
    path: `${small}/aggregate`,
    body: {
      aggregation: [
        { type: 'exactDistinct', field: 'peer' },
        { type: 'sum', field: 'n' },
      ],
      groupBy: [{ type: 'exact', field: 'n', maxGroupCount: 10_000 }],
    },
  }),
  'values-of-in': requestsOf(
    search(small, {
      type: 'or',
      value: Array.from({ length: 99 }, (_, i) => ({
        type: 'in',
        field: 'peer',
        value: Array.from({ length: 1_000 }, (_, nth) => keyOf(i * 1_000 + nth)),
      })),
    }),
  ),
} satisfies Readonly<Record<string, Flood>>
