// Turns a batch into changes while it arrives, chunk by chunk, in bounded memory.
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { batchRefused, type BatchProblem } from './batch-problem.ts'
import { keyOf, valuesOf, type Change, type Condition, type Merge, type TypeLines } from './change.ts'
import { givingWay } from '../../base/giving-way.ts'
import { readLine, type LineRules } from './read-line.ts'
import { splitLines } from './split-lines.ts'

/** One statement stages a chunk. */
const chunkChanges = 1_000
const chunkBytes = 1024 * 1024
const chunkValues = 20_000

const oneSource = 'must be the first or the last line of the batch, and the only one of the type "source"'

/** Refuses the batch with its first problems (P133): at its end, or as soon as it has as many as are listed. */
export async function* readBatch(pieces: AsyncIterable<Buffer>, rules: LineRules): AsyncGenerator<TypeLines> {
  const problems: BatchProblem[] = []
  const gathered = new Map<
    ObjectType,
    { readonly changes: (Change | Merge)[]; readonly conditions: Condition[] }
  >()
  let gatheredChanges = 0
  let gatheredBytes = 0
  let gatheredValues = 0
  const othersTurn = givingWay()
  let lastLine = 0
  let sourceLine: number | undefined

  function* takeGathered(): Generator<TypeLines> {
    for (const [type, lines] of gathered) yield { type, ...lines }
    gathered.clear()
    gatheredChanges = 0
    gatheredBytes = 0
    gatheredValues = 0
  }

  for await (const lines of splitLines(pieces)) {
    for (const { number, bytes } of lines) {
      const turn = othersTurn()
      if (turn !== undefined) await turn
      const reading = readLine(bytes, number, rules)
      const read = reading instanceof Promise ? await reading : reading
      const isFirst = lastLine === 0
      lastLine = number
      if ('source' in read) {
        if (sourceLine !== undefined) problems.push({ line: number, problem: oneSource })
        sourceLine = isFirst ? 0 : number
        await rules.onSource?.(read.source, number)
        continue
      }
      // Not at the end of the batch: a writer that has more lines would believe that they are in it.
      if (sourceLine !== undefined && sourceLine > 0) {
        problems.push({ line: sourceLine, problem: oneSource })
        sourceLine = 0
      }
      if ('problems' in read) {
        problems.push(...read.problems.map((problem) => ({ line: number, ...problem })))
        if (problems.length >= limits.request.batchProblems) throw batchRefused(problems)
        continue
      }
      // A batch with a problem will be refused, so only further problems are still of interest.
      if (problems.length > 0) continue
      const ofType = gathered.get(read.type) ?? { changes: [], conditions: [] }
      gathered.set(read.type, ofType)
      ofType.changes.push(read.change)
      if (read.wanted !== undefined)
        ofType.conditions.push({ key: keyOf(read.change), line: number, wanted: read.wanted })
      gatheredChanges += 1
      gatheredBytes += bytes.length
      gatheredValues += valuesOf(read.type, read.change)
      if (gatheredChanges >= chunkChanges || gatheredBytes >= chunkBytes || gatheredValues >= chunkValues) {
        yield* takeGathered()
      }
    }
  }
  if (problems.length > 0) throw batchRefused(problems)
  yield* takeGathered()
}
