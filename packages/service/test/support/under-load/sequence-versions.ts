// The bug that the clock row prevents: a commit that takes its version from a sequence. No commit waits for another, so a
// higher version can become visible before a lower one. Only used to show that the checks detect it.
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { Change } from '../../../src/write/commit/change.ts'
import { lockClocks, recordCommit, writeObjects } from '../../../src/write/commit/commit-statements.ts'
import type { CommitQueue } from '../../../src/write/commit/commit-queue.ts'
import { writeCommit } from '../../../src/write/commit/write-commit.ts'
import type { TestStore } from '../open-test-store.ts'
import type { SqlQuery } from '../../../src/base/sql-query.ts'
import type { Row } from '../../../src/postgres/database.ts'

type Database = TestStore['database']

export async function commitBySequence(
  { database }: TestStore,
  type: ObjectType,
): Promise<Pick<TestStore, 'commit' | 'stage'>> {
  const sequence = `${type.schema}.versions`
  await database.run(`create sequence ${sequence}`)
  let tags = 0
  const sources = {
    database,
    queue: withoutWaiting(database, sequence),
    batchSeconds: 3_600,
    newTag: () => String((tags += 1)),
  }
  return {
    commit: (request) => writeCommit(sources, request),
    stage: async ({ chunks }) => {
      const changes: Change[] = []
      for await (const chunk of chunks)
        changes.push(...chunk.changes.filter((change) => change.kind !== 'merge'))
      return writeCommit(sources, { parts: [{ type, changes }] })
    },
  }
}

/** Uses neither the queue of the process nor the lock of the clock row. */
const withoutWaiting =
  (database: Database, sequence: string): CommitQueue =>
  async (commit) => {
    const [next] = await database.rows({ text: `select nextval('${sequence}') as version`, values: [] })
    const { text, values } = lockClocks([commit.type])
    const [clock = {}] = await database.rows({ text: text.replace(' for update', ''), values })
    const known = { clock, version: next?.['version'] ?? '' }
    const { given, ...parts } = commit
    return database.transaction(async (transaction) => {
      let outcome: Row = {}
      for (const query of writeObjects(commit, known)) outcome = (await transaction.rows(query))[0] ?? {}
      let receipt: Row | undefined
      const done = { ...parts, largest: given.largest, outcome, time: outcome['time'] ?? '' }
      for (const query of recordCommit(done, known)) [receipt] = await transaction.rows(neverBack(query))
      return receipt
    })
  }

/** The clock never returns to a lower version than it has. */
function neverBack({ text, values }: SqlQuery): SqlQuery {
  return {
    text: text.replace('set version = m.version', 'set version = greatest(clock.version, m.version)'),
    values,
  }
}
