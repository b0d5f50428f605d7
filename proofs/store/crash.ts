// PostgreSQL is killed in the middle of commits, again and again, under one store that is never restarted.
import { withStore } from '../harness/with-store.ts'
import { runCrashes } from '../../packages/service/test/support/store-model/run-crashes.ts'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveCrashes(proof: Proof): Promise<void> {
  await proof.point(
    'After a kill the database has every acknowledged commit completely, and no other in part',
    () =>
      withStore({ durable: true }, async ({ cluster, store }) => {
        const rounds = proof.short ? 5 : 20
        const { differences, ...seen } = await runCrashes({ store, server: cluster, seed: 12, rounds })
        expect(differences.length === 0, differences.slice(0, 3).join('; '))
        expect(seen.acknowledged >= rounds * 20, `the load was too small: ${seen.acknowledged} acknowledged`)
        expect(seen.unanswered >= rounds, `the load was too small: ${seen.unanswered} interrupted`)
        return (
          `${rounds} crashes, ${seen.acknowledged} commits acknowledged, ${seen.unanswered} interrupted ` +
          `(${seen.unansweredButThere} of them there, ${seen.sentAgain} sent again), ${seen.walks} walks of ` +
          `${seen.objects} objects equal to the model`
        )
      }),
  )
}
