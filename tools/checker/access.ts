// Two types that differ only in objects that a policy hides from a caller: every answer to that caller must be the same for both, byte for
// byte, apart from names, rids and times, and with tokens compared by their lengths. It uses nothing of the service but what it answers.
//
//     node --conditions=@octavo/source tools/checker/access.ts [HIDDEN] [VISIBLE] [SEED]
import { compareChanges } from './access/compare-changes.ts'
import { compareMetadata } from './access/compare-metadata.ts'
import { compareObjects } from './access/compare-objects.ts'
import { compareRevision1, compareRevisionV2 } from './access/compare-revisions.ts'
import { compareSearches } from './access/compare-searches.ts'
import { compareTools } from './access/compare-tools.ts'
import { comparison } from './access/comparison.ts'
import { analyse, withService } from './access/serve.ts'
import { makeTwoTypes } from './access/two-types.ts'

const [hidden = 500, visible = 300, seed = 1] = process.argv.slice(2).map(Number)
if (![hidden, visible, seed].every(Number.isSafeInteger))
  throw new Error('Give the numbers of hidden and of visible objects and a seed: access.ts 500 300 1')

// So few that hidden objects, if they counted, would make aggregates too expensive.
const options = { OCTAVO_AGGREGATE_OBJECTS: String(2 * visible) }

const { compared, differ, statuses } = await withService(options, async (served) => {
  const compare = comparison(await makeTwoTypes(served, { hidden, visible, seed }))
  await analyse(served)
  await compareSearches(compare)
  await compareObjects(compare)
  await compareRevision1(compare)
  await compareRevisionV2(compare)
  await compareMetadata(compare)
  await compareTools(compare)
  await compareChanges(compare)
  return compare.counts()
})
console.log(`answers by status: ${JSON.stringify(statuses)}`)
console.log(`access: ${compared} comparisons, ${differ} differ`)
process.exit(differ === 0 ? 0 : 1)
