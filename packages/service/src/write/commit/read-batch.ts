// Turns a batch into changes while it arrives, chunk by chunk, in bounded memory.
import { limits } from '@octavo/protocol'
import type { ObjectType } from '../../catalog/object-type.ts'
import { batchRefused, type BatchProblem } from './batch-problem.ts'
import { valuesOf, type Change, type Merge, type TypeLines } from './change.ts'
import { givingWay } from '../../base/giving-way.ts'
import { readLine, type LineRules } from './read-line.ts'
import { splitLines } from './split-lines.ts'

/** One statement stages a chunk. */
const chunkChanges = 1_000
const chunkBytes = 1024 * 1024
const chunkValues = 20_000

/** Refuses the batch with its first problems (P133): at its end, or as soon as it has as many as are listed. */
export async function* readBatch(pieces: AsyncIterable<Buffer>, rules: LineRules): AsyncGenerator<TypeLines> {
  const problems: BatchProblem[] = []
  const gathered = new Map<ObjectType, (Change | Merge)[]>()
  let gatheredChanges = 0
  let gatheredBytes = 0
  let gatheredValues = 0
  const othersTurn = givingWay()

  function* takeGathered(): Generator<TypeLines> {
    for (const [type, changes] of gathered) yield { type, changes }
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
      if ('problems' in read) {
        problems.push(...read.problems.map((problem) => ({ line: number, ...problem })))
        if (problems.length >= limits.request.batchProblems) throw batchRefused(problems)
        continue
      }
      // A batch with a problem will be refused, so only further problems are still of interest.
      if (problems.length > 0) continue
      const changes = gathered.get(read.type)
      if (changes === undefined) gathered.set(read.type, [read.change])
      else changes.push(read.change)
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
