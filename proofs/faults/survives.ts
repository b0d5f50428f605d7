// Faults of every kind, on one PostgreSQL and on a pair with failover.
import { survivesFaults, type FaultRun } from '../harness/faults/survives-faults.ts'
import type { Proof } from '../harness/prove.ts'
import { missingPrograms, startHaPair } from './ha-pair.ts'
import { seedOf } from './lost-changes.ts'
import { startSingleDatabase } from './single-database.ts'

function runOf(proof: Proof): FaultRun {
  const minutes = Number(proof.given['minutes'])
  return {
    seed: seedOf(proof),
    // The short form ends when each fault has struck once.
    seconds: proof.short ? 0 : minutes * 30,
    // Less than this proves nothing: a round of all faults takes about a minute.
    atLeast: proof.short ? 1 : Math.max(1, Math.floor(minutes / 5)),
  }
}

export const survivesOnOne = (proof: Proof): Promise<void> =>
  proof.point(
    'On one PostgreSQL, faults lose no acknowledged commit, and every walk is exact or ends with an error',
    async () => {
      const database = await startSingleDatabase()
      try {
        return await survivesFaults(proof, database, runOf(proof))
      } finally {
        await database.stop()
      }
    },
  )

export async function survivesOnPair(proof: Proof): Promise<void> {
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
        const run = runOf(proof)
        const few = { ...run, only: ['fail over', 'kill an instance'] }
        return await survivesFaults(proof, database, proof.short ? few : run)
      } finally {
        await database.stop()
      }
    },
  )
}
