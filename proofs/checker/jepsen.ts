// Writers and readers of every kind at the same time, while instances and PostgreSQL are killed, stopped and cut off. What each
// type held at each version is known from what was acknowledged to the writers; everything that was read is compared with it: which
// objects, how often, with which values, in which order, how many, and their checksums. It uses nothing of the product but the
// service as a process and what the packages export.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type Proof } from '../harness/prove.ts'
import { withCluster } from '../harness/with-store.ts'
import { chances } from './chances.ts'
import { numberOf, seedOf } from './number-of.ts'
import { asking } from './jepsen/ask.ts'
import { checksTaken } from './jepsen/check-later.ts'
import { everything } from './jepsen/filters.ts'
import { findings } from './jepsen/findings.ts'
import { keepStriking } from './jepsen/faults.ts'
import { typeHistory, typeNames } from './jepsen/history.ts'
import { startFaultyInstances } from './jepsen/instances.ts'
import { keepFollowing } from './jepsen/reads/follow.ts'
import { readWhole } from './jepsen/reads/walk.ts'
import { keepReading, keepWalkingHeldUp } from './jepsen/reads/readers.ts'
import type { Run } from './jepsen/run.ts'
import { makeSetting } from './jepsen/setting.ts'
import { thingsByChance } from './jepsen/things.ts'
import { keepWriting, writers } from './jepsen/writers.ts'

export const checkHistories = (proof: Proof): Promise<void> =>
  proof.point(
    'Everything that is read is what was acknowledged, whatever is written and whatever fails meanwhile',
    async () => {
      const minutes = numberOf(proof, 'minutes', proof.short ? 1.5 : 2)
      const chance = chances(seedOf(proof))
      const found = findings()
      await withCluster({}, async (cluster) => {
        const instances = await startFaultyInstances(cluster.url, found)
        try {
          const asks = asking(() => instances.urls, chance, found)
          const history = {
            item: typeHistory('item', found),
            doc: typeHistory('doc', found),
            owner: typeHistory('owner', found),
          }
          const setting = await makeSetting(cluster.url, asks)
          const until = Date.now() + minutes * 60_000
          const isGoingOn = (): boolean => Date.now() < until
          const checks = checksTaken(history, found)
          const { later, turn } = checks
          const run: Run = {
            ...asks,
            ...found,
            ...setting,
            chance,
            things: thingsByChance(chance),
            history,
            later,
            turn,
            isGoingOn,
          }
          const [none, first, second, all] = setting.readers
          const striking = keepStriking({ run, cluster, instances })
          const working = Promise.all([
            ...writers.map((writer) => keepWriting(run, writer, checks.waitFor)),
            ...Array.from({ length: 6 }, () => keepReading(run)),
            keepWalkingHeldUp(run),
            keepWalkingHeldUp(run),
            keepFollowing(run, { type: 'item', caller: none, waitSeconds: 0 }),
            keepFollowing(run, { type: 'item', caller: first, waitSeconds: 2 }),
            keepFollowing(run, { type: 'item', caller: second, waitSeconds: 3 }),
            keepFollowing(run, { type: 'doc', caller: first, waitSeconds: 1 }),
            keepFollowing(run, { type: 'doc', caller: all, waitSeconds: 0 }),
            keepFollowing(run, { type: 'doc', caller: none, waitSeconds: 0 }),
            striking,
          ])
          while (isGoingOn()) {
            await sleep(10_000)
            await checks.make()
          }
          await working
          await checks.make()
          for (const type of typeNames) {
            const caller = type === 'doc' ? all : none
            await readWhole(run, caller, type, everything)
          }
          await checks.make()
          for (const [what, times] of Object.entries(found.counts()))
            proof.say(`${String(times).padStart(9)} ${what}`)
        } finally {
          await instances.end()
        }
      })
      expect(found.violations() === 0, `${found.violations()} violations`)
      return `${minutes} minutes`
    },
  )
