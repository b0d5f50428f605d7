// Nodes are killed and restarted, and the ontology is moved, under a mixed load over HTTP.
import { startCitusDatabase } from '../harness/faults/citus-database.ts'
import { survivesFaults } from '../harness/faults/survives-faults.ts'
import type { Proof } from '../harness/prove.ts'

export const proveSurvivesOnCitus = (proof: Proof): Promise<void> =>
  proof.point(
    'Nodes that are killed and moves lose no acknowledged commit, and no walk ends without an error and not exact',
    async () => {
      const database = await startCitusDatabase()
      try {
        const seed = Date.now() % 1_000_000
        proof.say(`seed ${seed}`)
        return await survivesFaults(proof, database, {
          seed,
          seconds: proof.short ? 0 : 1_200,
          atLeast: proof.short ? 1 : 5,
          only: Object.keys(database.faults),
        })
      } finally {
        await database.stop()
      }
    },
  )
