// The bug that the clock row prevents: a commit that takes its version from a sequence. No commit waits for another, so a
// higher version can become visible before a lower one. Only used to show that the checks detect it.
import type { ObjectType } from '../../../src/catalog/object-type.ts'
import type { Change } from '../../../src/write/commit/change.ts'
import { applyGiven } from '../../../src/write/commit/compile-commit.ts'
import type { CommitQueue } from '../../../src/write/commit/commit-queue.ts'
import { writeCommit } from '../../../src/write/commit/write-commit.ts'
import { invariant } from '../../../src/base/errors/invariant.ts'
import type { TestStore } from '../open-test-store.ts'
import type { SqlQuery } from '../../../src/base/sql-query.ts'

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
  async ({ type, given, facts }) => {
    const [applied] = await database.pipeline([rewrite(applyGiven(type, given, facts), sequence)])
    return applied ?? []
  }

function rewrite({ text, values }: SqlQuery, sequence: string): SqlQuery {
  const rewritten = replaced(
    replaced(text, 'select clock.version + 1 as version', `select nextval('${sequence}') as version`),
    'set version = m.version',
    'set version = greatest(clock.version, m.version)',
  )
  return { text: rewritten, values }
}

function replaced(text: string, part: string, by: string): string {
  invariant(text.includes(part), 'mutant-does-not-fit-the-commit')
  return text.replace(part, by)
}
