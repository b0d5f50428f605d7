// Checks whether a policy can be evaluated on its type, whatever the claims of a caller hold.
import type { ObjectTypeDefinition, PolicyQuery, ScalarValue } from '@octavo/protocol'
import { exceededQueryLimit } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { resolveFilter } from './resolve-filter.ts'
import { substituteClaims } from './substitute-claims.ts'
import { layoutColumns } from '../layout-columns.ts'
import { layoutIndexes } from '../layout-indexes.ts'
import { objectTypeOf, type ObjectType } from '../object-type.ts'

interface PolicyProblem {
  readonly path: string
  readonly problem: string
}

/** The problems of the policy in a definition that is otherwise valid. */
export function policyProblems(definition: ObjectTypeDefinition): readonly PolicyProblem[] {
  const { policy } = definition
  if (policy === undefined) return []
  const exceeded = exceededQueryLimit(policy)
  if (exceeded !== undefined) {
    const problem = `is too large for a query: ${exceeded.limit} may be at most ${exceeded.maximum}`
    return [{ path: '/policy', problem }]
  }
  return conditionProblems(finishedType(definition), policy, '/policy')
}

/** The type as it will be once all its columns are filled. */
function finishedType(definition: ObjectTypeDefinition): ObjectType {
  const columns = layoutColumns(definition)
  const indexes = layoutIndexes(definition, columns)
  return objectTypeOf(
    { schema: '', id: 0, revision: 0, revisionTag: '' },
    { rid: '', definition, columns, indexes },
  )
}

function conditionProblems(type: ObjectType, policy: PolicyQuery, path: string): readonly PolicyProblem[] {
  switch (policy.type) {
    case 'and':
    case 'or':
      return policy.value.flatMap((part, i) => conditionProblems(type, part, `${path}/value/${i}`))
    case 'not':
      return conditionProblems(type, policy.value, `${path}/value`)
    default: {
      const problem = conditionProblem(type, policy)
      return problem === undefined ? [] : [{ path, problem }]
    }
  }
}

/** For each scalar type, at least one of these is a valid value. */
const samples: readonly ScalarValue[] = ['', true, 0, '0', '2024-02-29', '2024-02-29T00:00:00Z']

function conditionProblem(type: ObjectType, condition: PolicyQuery): string | undefined {
  let problem: string | undefined
  for (const sample of samples) {
    const query = substituteClaims(condition, () => sample)
    if (query === undefined) continue
    try {
      resolveFilter(type, query)
      return undefined
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      problem = error.message
    }
  }
  return problem ?? 'cannot be used as a condition'
}
