// Walks through the client, each to its end: after a temporary error the same walk continues, after any other it starts
// again.
import { setTimeout as sleep } from 'node:timers/promises'
import { OctavoError, type Client, type Walk } from '@octavo/client'
import type { Random } from '../random.ts'
import { editionOf, objectTypeName, shelves, type Edition } from './fault-objects.ts'
import type { LatestWalkRead, SnapshotWalkRead } from './judge-walk.ts'

export interface Walking {
  readonly client: Client
  readonly apiFamily: string
  /** The longest pause of most walks between two pages. */
  readonly pauseMilliseconds: number
  readonly goesOn: () => boolean
  readonly knownVersion: () => number
  readonly lastEditionSent: () => number
  readonly snapshotRead: (walk: SnapshotWalkRead) => void
  readonly latestRead: (walk: LatestWalkRead) => void
  /** Called when the walk continues where it was. */
  readonly interrupted: (error: OctavoError) => void
  /** Called when the walk cannot continue, and starts again. */
  readonly ended: (error: OctavoError) => void
}

/**
 * Errors that a network can cause. A service that is down answers 503 or, if a load balancer answers in its place, 502 or
 * 504.
 */
const passing: ReadonlySet<string> = new Set(['NetworkFailure', 'RequestTimedOut', 'UnreadableAnswer'])

const isPassing = ({ errorName, status = 0 }: OctavoError): boolean =>
  passing.has(errorName) || status === 429 || status >= 502

export async function walkSnapshots(walking: Walking, random: Random): Promise<void> {
  const objects = walking.client.family(walking.apiFamily).objects(objectTypeName)
  while (walking.goesOn()) {
    const shelf = random.next() < 0.2 ? random.below(shelves) : undefined
    const order = shelf === undefined && random.next() < 0.3 ? 'by edition' : 'by key'
    const options = {
      snapshot: true,
      pageSize: 10 + random.below(150),
      readAhead: random.below(3),
      ...(order === 'by edition' && { orderBy: [{ field: 'edition', direction: 'asc' }] as const }),
    }
    const walk =
      shelf === undefined
        ? objects.all(options)
        : objects.search({ type: 'eq', field: 'shelf', value: shelf }, options)
    // Some readers take longer than snapshots are kept.
    const pauseMilliseconds = random.next() < 0.15 ? 600 : walking.pauseMilliseconds
    const read = await readToEnd(walking, walk, () => random.next() * pauseMilliseconds)
    if (read === undefined) continue
    const { editions, versions } = read
    const [version, ...others] = versions
    if (version === undefined || others.length > 0) {
      throw new Error(`a snapshot walk read the versions ${[...versions].join(', ')}`)
    }
    walking.snapshotRead({ version, order, editions, ...(shelf !== undefined && { shelf }) })
  }
}

export async function walkLatest(walking: Walking, random: Random): Promise<void> {
  const objects = walking.client.family(walking.apiFamily).objects(objectTypeName)
  while (walking.goesOn()) {
    const since = walking.knownVersion()
    const walk = objects.all({ pageSize: 10 + random.below(200), readAhead: random.below(2) })
    const read = await readToEnd(walking, walk, () => random.next() * walking.pauseMilliseconds)
    if (read === undefined) continue
    walking.latestRead({ since, lastEditionSent: walking.lastEditionSent(), editions: read.editions })
  }
}

interface WalkRead {
  readonly editions: readonly Edition[]
  readonly versions: ReadonlySet<number>
}

/** Undefined if the walk cannot continue, or if the load ends. */
async function readToEnd(
  walking: Walking,
  walk: Walk<{ readonly properties: object }>,
  pause: () => number,
): Promise<WalkRead | undefined> {
  const editions: Edition[] = []
  const versions = new Set<number>()
  const pages = walk.pages()
  for (;;) {
    try {
      const { done, value: page } = await pages.next()
      if (done === true) return { editions, versions }
      editions.push(...page.data.map(editionOf))
      if (page.version !== undefined) versions.add(Number(page.version))
    } catch (error) {
      if (!(error instanceof OctavoError)) throw error
      if (!isPassing(error)) {
        walking.ended(error)
        return undefined
      }
      walking.interrupted(error)
      if (!walking.goesOn()) return undefined
    }
    await sleep(pause())
  }
}
