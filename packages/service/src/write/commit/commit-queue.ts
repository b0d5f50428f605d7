// Writers of one type wait for each other anyway, at the clock row. The writers of this process wait here instead, and all
// commits that have queued up while another was running are sent together: one transaction, one flush to disk, and each commit
// still has its own statements and its own version. Measured with 16 writers of single objects: see decision 0010.
import type { Database, Row } from '../../postgres/database.ts'
import { isRolledBack } from '../../postgres/sqlstate.ts'
import { applyCommits } from './apply-commits.ts'
import type { Commit } from './commit-parts.ts'

interface QueuedCommit extends Commit {
  readonly changes: number
  readonly values: number
}

/** Answers with the receipt, or undefined if the commit was compiled for another definition of the type. */
export type CommitQueue = (commit: QueuedCommit) => Promise<Row | undefined>

interface Waiting extends QueuedCommit {
  readonly resolve: (receipt: Row | undefined) => void
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

  const send = async (group: readonly Waiting[]): Promise<void> => {
    const [first] = group
    if (first === undefined) return
    try {
      const receipts = await applyCommits(database, first.type, group)
      for (const [i, { resolve }] of group.entries()) resolve(receipts[i])
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
