// `npm run prove:faults`: whatever is killed, cut, restarted or rotated, no acknowledged commit is lost and no walk is
// wrong. `--minutes` is the length of the long form, half of it on one PostgreSQL and half on a pair with failover;
// `--rounds` is the number of asynchronous failovers that lose changes.
import { losesNothingButTheLost } from './prove-faults/lost-changes.ts'
import { missingPrograms, startHaPair } from './prove-faults/ha-pair.ts'
import { startSingleDatabase } from './prove-faults/single-database.ts'
import { survivesFaults } from './prove-faults/survives-faults.ts'
import { prove } from './prove.ts'

await prove(
  'faults',
  async (proof) => {
    const minutes = Number(proof.given['minutes'])
    const seed = Number(proof.given['seed'] ?? Date.now() % 1_000_000)
    proof.say(`seed ${seed}`)
    // Less than this proves nothing: a round of all faults takes about a minute.
    const atLeast = proof.short ? 1 : Math.max(1, Math.floor(minutes / 5))
    // The short form ends when each fault has struck once.
    const seconds = proof.short ? 0 : minutes * 30

    await proof.point(
      'On one PostgreSQL, faults lose no acknowledged commit, and every walk is exact or ends with an error',
      async () => {
        const database = await startSingleDatabase()
        try {
          return await survivesFaults(proof, database, { seed, seconds, atLeast })
        } finally {
          await database.stop()
        }
      },
    )

    await proof.point('After asynchronous failovers that lose changes, no instance uses what was lost', () =>
      losesNothingButTheLost(proof, { seed, rounds: proof.short ? 3 : Number(proof.given['rounds']) }),
    )

    const missing = missingPrograms()
    if (proof.short && missing.length > 0) {
      proof.say(`left out: failover of a pair, because ${missing.join(' and ')} is not installed`)
      return
    }
    await proof.point(
      'On a pair with a synchronous standby, a failover loses no acknowledged commit, and no walk is wrong',
      async () => {
        const database = await startHaPair()
        try {
          const run = { seed: seed + 1, seconds, atLeast }
          const few = { ...run, only: ['fail over', 'kill an instance'] }
          return await survivesFaults(proof, database, proof.short ? few : run)
        } finally {
          await database.stop()
        }
      },
    )
  },
  {
    minutes: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '200' },
    seed: { type: 'string' },
  },
)
