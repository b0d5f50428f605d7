// What several lines for one object come to. Lines apply in their order: a put or a delete forgets what was before it, a merge
// builds on it (P208).
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { batchRefused, lineProblem, type BatchProblem } from './batch-problem.ts'
import { canonicaliseObject, type CanonicalObject } from './canonicalise-object.ts'
import { keyOf, type Change, type Merge } from './change.ts'

type ObjectText = Pick<CanonicalObject, 'scalars' | 'others'>

/** Properties to be set on a known object; undefined if there is none. */
export interface MergeOnto {
  readonly kind: 'merge-onto'
  readonly object: ObjectText | undefined
  readonly merge: Merge
}

/** The merge after what was there: it is not checked yet, because the next line may add what is missing. */
export function mergedWith(before: Change | Merge | MergeOnto | undefined, merge: Merge): Merge | MergeOnto {
  switch (before?.kind) {
    case undefined:
      return merge
    case 'put':
      return { kind: 'merge-onto', object: before.object, merge }
    case 'delete':
      return { kind: 'merge-onto', object: undefined, merge }
    case 'merge':
      return both(before, merge)
    case 'merge-onto':
      return { ...before, merge: both(before.merge, merge) }
    default:
      return before satisfies never
  }
}

const both = (first: Merge, second: Merge): Merge => ({
  ...second,
  properties: JSON.stringify({ ...parsed(first.properties), ...parsed(second.properties) }),
})

type MergedObject = { readonly object: CanonicalObject } | { readonly problems: readonly BatchProblem[] }

/** The whole object, checked as a put is. */
function mergedObject(type: ObjectType, { object, merge }: MergeOnto): MergedObject {
  const given = parsed(merge.properties)
  const before = object === undefined ? {} : parsed(jsonOf(object))
  const canonical = canonicaliseObject(type, { ...before, ...given })
  if ('object' in canonical) return canonical
  return {
    problems: canonical.problems.map((problem) => ({
      line: merge.line,
      ...lineProblem({
        ...problem,
        // A refusal repeats what was sent, and nothing that is stored.
        value: given[problem.property],
        problem:
          object === undefined && !Object.hasOwn(given, problem.property)
            ? `${problem.problem}, because no object with this primary key exists: a new one needs all required properties`
            : problem.problem,
      }),
    })),
  }
}

/** One change for each key; refuses the batch if a line merges into what cannot become an object. */
export function foldLines(type: ObjectType, lines: readonly (Change | Merge)[]): readonly (Change | Merge)[] {
  const byKey = new Map<string, Change | Merge | MergeOnto>()
  for (const line of lines) {
    const key = keyOf(line)
    byKey.set(key, line.kind === 'merge' ? mergedWith(byKey.get(key), line) : line)
  }
  const folded: (Change | Merge)[] = []
  const problems: BatchProblem[] = []
  for (const change of byKey.values()) {
    if (change.kind !== 'merge-onto') folded.push(change)
    else settle(type, change, { changes: folded, problems })
  }
  if (problems.length > 0) throw batchRefused(problems)
  return folded
}

interface Settled {
  readonly changes: (Change | Merge)[]
  readonly problems: BatchProblem[]
}

/** Adds the put that a merge comes to, or its problems. Throws as soon as there are as many problems as are listed. */
export function settle(type: ObjectType, change: MergeOnto, { changes, problems }: Settled): void {
  const merged = mergedObject(type, change)
  if ('object' in merged) changes.push({ kind: 'put', object: merged.object })
  else problems.push(...merged.problems)
  if (problems.length >= limits.request.batchProblems) throw batchRefused(problems)
}

const jsonOf = ({ scalars, others }: ObjectText): string =>
  others === null ? `{${scalars}}` : `{${scalars},${others}}`

const parsed = (json: string): Readonly<Record<string, unknown>> =>
  JSON.parse(json) as Readonly<Record<string, unknown>>
