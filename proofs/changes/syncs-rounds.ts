// `octavo sync` keeps a copy in SQLite while the collection changes, and is killed on the way: after each round the copy is verified.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '@octavo/model'
import type { ObjectType, Store } from '../../packages/service/test/inside.ts'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { median } from '../harness/statistics.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import { startCommand } from '../harness/octavo-command.ts'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveSyncsRounds(proof: Proof): Promise<void> {
  const objects = proof.short ? 5_000 : 1_000_000
  const rounds = proof.short ? 4 : 100
  const kills = proof.short ? 2 : 50
  await proof.point(
    `A copy of ${objects.toLocaleString('en')} objects in SQLite is right after each of ${rounds} rounds of 1 % changed, killed ${kills} times`,
    () =>
      withServedCollection(async (served) => {
        const folder = await mkdtemp(join(tmpdir(), 'octavo-prove-sync-'))
        try {
          return await showRounds(proof, { served, folder, objects, rounds, kills })
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      }),
  )
}

interface Rounds {
  readonly served: ServedCollection
  readonly folder: string
  readonly objects: number
  readonly rounds: number
  readonly kills: number
}

async function showRounds(proof: Proof, { served, folder, objects, rounds, kills }: Rounds): Promise<string> {
  const { type } = await loadItems(served.store, served.ontology, objects, 'item')
  const random = seededRandom(1)
  const start = (words: readonly string[]) =>
    startCommand([...words, '--to', 'copy.sqlite'], { url: served.url, folder })
  const run = async (words: readonly string[]) => {
    const end = await start(words).ended
    expect(end.code === 0, `octavo ${words.join(' ')}: ${end.noted}`)
    return end
  }
  const first = await run(['sync', 'item'])
  proof.say(`first load: ${(first.milliseconds / 1_000).toFixed(1)} s, ${first.mostMemory} MB`)
  const verified = await run(['verify'])
  expect(/checksum equal/.test(verified.written), verified.written)
  const times: number[] = []
  let killed = 0
  for (let round = 0; round < rounds; round += 1) {
    await changeSome(served.store, type, { from: random.integer(0, objects - 1), objects, round })
    if (round % Math.ceil(rounds / kills) === 0) {
      const killing = start(['sync', 'item'])
      await sleep(random.integer(200, 2_500))
      killing.kill('SIGKILL')
      if ((await killing.ended).code === undefined) killed += 1
    }
    times.push((await run(['sync', 'item'])).milliseconds)
    const { written } = await run(['verify'])
    expect(/checksum equal/.test(written), `round ${round}: ${written}`)
    if (round % 10 === 9)
      proof.say(
        `${round + 1} rounds, killed ${killed} times, a round takes ${(median(times) / 1_000).toFixed(1)} s`,
      )
  }
  return `first load ${(first.milliseconds / 1_000).toFixed(1)} s, ${rounds} rounds of ${Math.ceil(objects / 100).toLocaleString('en')} changes, ${(median(times) / 1_000).toFixed(1)} s each (median), killed ${killed} times, verified ${rounds + 1} times, 0 different`
}

/** One percent, in one commit: most are changed, some deleted, some are new again. */
async function changeSome(
  store: Store,
  type: ObjectType,
  { from, objects, round }: { readonly from: number; readonly objects: number; readonly round: number },
): Promise<void> {
  const changes = Array.from({ length: Math.ceil(objects / 100) }, (_, i) => {
    const number = (from + i * 97) % objects
    const put = putObject(type, {
      id: `i${String(number).padStart(6, '0')}`,
      rank: round,
      label: `Changed in round ${round}`,
    })
    return i % 10 === 0 && put.kind === 'put' ? ({ kind: 'delete', key: put.object.key } as const) : put
  })
  await store.commit({ parts: [{ type, changes }] })
}
