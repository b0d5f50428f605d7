// Writers of one type wait for each other anyway, at the clock row. The writers of this process wait here instead, and all
// commits that have queued up while another was running are sent together: one transaction, one flush to disk, and each commit
// is still a statement and a version of its own. Measured with 16 writers of single objects: see decision 0010.
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Database, Row } from '../../postgres/database.ts'
import { isRolledBack } from '../../postgres/sqlstate.ts'
import { applyInSteps, type Apply } from './apply-in-steps.ts'
import { applyGiven, lockClocks } from './compile-commit.ts'

interface QueuedCommit extends Apply {
  readonly changes: number
  readonly values: number
}

export type CommitQueue = (commit: QueuedCommit) => Promise<readonly Row[]>

interface Waiting extends QueuedCommit {
  readonly resolve: (rows: readonly Row[]) => void
  readonly reject: (error: unknown) => void
}

interface Queue {
  readonly waiting: Waiting[]
  underWay: number
}

/** From this size on, the next group is sent while one is still running: its data travels while it waits for the clock row. */
const largeGroup = 1_000
const mostCommits = 64
const mostChanges = 10_000
/** The driver serialises the parameters of a whole group in one go. */
const mostValues = 100_000

export function commitQueue(database: Database): CommitQueue {
  const queues = new Map<string, Queue>()

  const apply = async (group: readonly Apply[], type: ObjectType): Promise<readonly (readonly Row[])[]> => {
    const holder = database.holding(type.schema)
    if (database.isCitus()) {
      const rows = await holder.transaction((transaction) => applyInSteps(transaction, group))
      return rows.map((row) => [row])
    }
    const statements = group.map((commit) => applyGiven(commit.type, commit.given, commit.facts))
    const [, ...results] = await holder.pipeline([lockClocks([type]), ...statements])
    return results
  }

  const send = async (group: readonly Waiting[]): Promise<void> => {
    const [first] = group
    if (first === undefined) return
    try {
      const results = await apply(group, first.type)
      for (const [i, { resolve }] of group.entries()) resolve(results[i] ?? [])
    } catch (error) {
      // One refused statement rolls back the whole group: each commit is then sent alone. But only if it is certain that nothing
      // was committed. After a lost connection it is not, and the callers must get that error.
      if (group.length > 1 && isRolledBack(error)) for (const waiting of group) await send([waiting])
      else for (const { reject } of group) reject(error)
    }
  }

  const drain = (name: string, queue: Queue): void => {
    while (queue.waiting.length > 0) {
      const group = queue.waiting.slice(0, groupSize(queue.waiting))
      const changes = group.reduce((sum, waiting) => sum + waiting.changes, 0)
      if (queue.underWay >= (changes >= largeGroup ? 2 : 1)) return
      queue.waiting.splice(0, group.length)
      queue.underWay += 1
      void send(group).finally(() => {
        queue.underWay -= 1
        drain(name, queue)
      })
    }
    if (queue.underWay === 0) queues.delete(name)
  }

  return (commit) =>
    new Promise((resolve, reject) => {
      const name = commit.type.tables.current
      const queue = queues.get(name) ?? { waiting: [], underWay: 0 }
      queues.set(name, queue)
      queue.waiting.push({ ...commit, resolve, reject })
      drain(name, queue)
    })
}

function groupSize(queue: readonly Waiting[]): number {
  let changes = 0
  let values = 0
  const end = queue.findIndex((waiting) => {
    changes += waiting.changes
    values += waiting.values
    return changes > mostChanges || values > mostValues
  })
  return Math.min(mostCommits, end === -1 ? queue.length : Math.max(1, end))
}
