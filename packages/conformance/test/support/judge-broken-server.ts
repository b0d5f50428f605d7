import { NotSafeToWrite } from '../../src/subject/find-free-keys.ts'
import { brokenClauses } from '../../src/kit/kit.ts'
import type { RevisionName } from '../../src/exchange/collection.ts'
import type { BrokenServer } from './broken-servers/broken-server.ts'
import { runOnModel } from './run-on-model.ts'

export interface Judgement {
  /** The clauses that the kit named. */
  readonly named: readonly string[]
  /** Why the kit was wrong; undefined if it named the right clause and none that the bug does not break. */
  readonly problem: string | undefined
}

export const revisionsOf = ({ revision }: BrokenServer): readonly RevisionName[] =>
  revision === undefined ? ['1.0', '2.0'] : [revision]

/** `only` is faster, but cannot show that the kit names no other clause. */
export async function judgeBrokenServer(
  server: BrokenServer,
  revision: RevisionName,
  only?: readonly string[],
): Promise<Judgement> {
  const { clause, also = [], objects, steps } = server
  const options = { steps: steps(), ...(objects !== undefined && { objects }), only }
  const report = await runOnModel(revision, options).catch((error: unknown) => {
    if (error instanceof NotSafeToWrite)
      return runOnModel(revision, { ...options, steps: steps(), writes: false })
    throw error
  })
  const named = brokenClauses(report)
  const foreign = named.filter((each) => each !== clause && !also.includes(each))
  const problem = !named.includes(clause)
    ? `${server.name} breaks ${clause}, and the kit named ${named.join(', ') || 'nothing'}`
    : foreign.length > 0
      ? `${server.name} does not break ${foreign.join(', ')}`
      : undefined
  return { named, problem }
}
