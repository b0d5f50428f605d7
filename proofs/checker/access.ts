// Two types that differ only in objects that a policy hides from a caller: every answer to that caller must be the same for both, byte for
// byte, apart from names, rids and times, and with tokens compared by their lengths. It uses nothing of the service but what it answers.
import { expect, type Proof } from '../harness/prove.ts'
import { compareChanges } from './access/compare-changes.ts'
import { compareMetadata } from './access/compare-metadata.ts'
import { compareObjects } from './access/compare-objects.ts'
import { compareRevision1, compareRevisionV2 } from './access/compare-revisions.ts'
import { compareSearches } from './access/compare-searches.ts'
import { compareTools } from './access/compare-tools.ts'
import { comparison } from './access/comparison.ts'
import { analyse, withService } from './access/serve.ts'
import { numberOf } from './number-of.ts'
import { makeTwoTypes } from './access/two-types.ts'

export const checkAccess = (proof: Proof): Promise<void> =>
  proof.point('Nothing that is answered to a caller differs by what a policy hides from it', async () => {
    const [hidden, visible] = proof.short ? [300, 200] : [500, 300]
    const wanted = {
      hidden: numberOf(proof, 'hidden', hidden),
      visible: numberOf(proof, 'visible', visible),
      seed: numberOf(proof, 'seed', 1),
    }
    // So few that hidden objects, if they counted, would make aggregates too expensive.
    const options = { OCTAVO_AGGREGATE_OBJECTS: String(2 * wanted.visible) }
    const { compared, differ, statuses } = await withService(options, async (served) => {
      const compare = comparison(await makeTwoTypes(served, wanted))
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
    proof.say(`answers by status: ${JSON.stringify(statuses)}`)
    expect(differ === 0, `${differ} of ${compared} comparisons differ`)
    return `${compared} comparisons`
  })
