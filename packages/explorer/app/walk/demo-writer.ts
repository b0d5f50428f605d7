// A real writer for the picture: it moves, inserts and deletes objects of a type made for this, through the public interface.
import { ask } from '../service/api.ts'

export const demoType = 'walkDemo'
const objects = 4_000
const highestRank = 1_000_000

const definition = {
  apiName: demoType,
  displayName: 'Walk demo',
  description: 'Made by the explorer for its picture of a walk. Its objects move while they are read.',
  primaryKey: 'id',
  titleProperty: 'id',
  properties: {
    id: { type: 'string' },
    rank: {
      type: 'integer',
      sortable: true,
      description: 'What the walks are ordered by, and what changes.',
    },
  },
}

const below = (limit: number): number => Math.floor(Math.random() * limit)

const put = (id: string) => ({ type: 'put', properties: { id, rank: below(highestRank) } })

const send = (rid: string, method: 'POST' | 'PUT', rest: string, lines: readonly object[]) =>
  ask(`/manage/v1/ontologies/${encodeURIComponent(rid)}/objectTypes/${demoType}/${rest}`, {
    method,
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })

/** Declares the type if it is not there, and makes its contents new. */
export async function prepareDemoType(rid: string): Promise<void> {
  await ask(`/manage/v1/ontologies/${encodeURIComponent(rid)}/objectTypes/${demoType}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(definition),
  })
  const lines = Array.from({ length: objects }, (_, i) => put(`object-${i}`))
  await send(rid, 'PUT', 'objects?maxDeletions=100%25', lines)
}

/** Commits one small batch after another until it is stopped. */
export function startDemoWriter(rid: string): { readonly stop: () => void } {
  const stopping = new AbortController()
  let made = 0
  const write = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      made += 1
      const moves = Array.from({ length: 6 }, () => put(`object-${below(objects)}`))
      await send(rid, 'POST', 'batches', [
        ...moves,
        put(`new-${made}`),
        { type: 'delete', primaryKey: `object-${below(objects)}` },
      ])
      await new Promise((resolve) => setTimeout(resolve, 60))
    }
  }
  // A batch that is refused ends the writer; the picture then shows what was written before.
  write().catch(() => {})
  return {
    stop: () => stopping.abort(),
  }
}
