// A walk is saved, its process is killed, and another process continues it, several times per walk. Between two processes an
// object is added: a snapshot walk must not see it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { itemId, items, loadItems, putItems } from '../../packages/service/test/support/load-items.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { randomFrom, type Random } from '../harness/random.ts'
import { withServedCollection, type ServedCollection } from '../harness/with-store.ts'
import type { Progress } from './walk-and-save.ts'

const objects = 400

export async function proveResumesElsewhere(proof: Proof): Promise<void> {
  const walks = proof.short ? 6 : 60
  await proof.point('A walk that is saved, killed and resumed in another process is exact', () =>
    withServedCollection(async (served) => {
      const folder = mkdtempSync(join(tmpdir(), 'octavo-resume-'))
      try {
        const seed = Date.now() % 1_000_000
        proof.say(`seed ${seed}`)
        const kills = await showWalks(served, { walks, folder, random: randomFrom(seed) })
        expect(kills >= walks, `only ${kills} processes were killed`)
        return `${walks} walks of at least ${objects} objects, ${kills} processes killed on the way, 0 objects lost or repeated`
      } finally {
        rmSync(folder, { recursive: true })
      }
    }),
  )
}

interface Walks {
  readonly walks: number
  readonly folder: string
  readonly random: Random
}

async function showWalks(
  { url, store, ontology }: ServedCollection,
  { walks, folder, random }: Walks,
): Promise<number> {
  const { type } = await loadItems(store, ontology, objects, 'item')
  const present = items(objects).map(({ id }) => id)
  let kills = 0
  for (let number = 0; number < walks; number += 1) {
    const snapshot = number % 2 === 0
    const expected = present.toSorted()
    const file = join(folder, `walk-${number}`)
    let progress: Progress | undefined
    while (progress?.ended !== true) {
      const isLast = progress !== undefined && random.next() < 0.3
      const settings = [url, testToken, file, String(snapshot), String(random.below(1e9))]
      if (await runUntilKilled(settings, isLast ? Number.POSITIVE_INFINITY : 1 + random.below(6))) kills += 1
      progress = JSON.parse(readFileSync(file, 'utf8')) as Progress
      if (!snapshot) continue
      const id = `${itemId(random.below(objects))}-${present.length}`
      await putItems(store, type, [{ id, rank: 1 }])
      present.push(id)
    }
    expect(
      isDeepStrictEqual(progress.keys, expected),
      `walk ${number} read ${progress.keys.length} objects, not the ${expected.length} it should`,
    )
  }
  return kills
}

const script = fileURLToPath(import.meta.resolve('./walk-and-save.ts'))

/** Returns whether it had to be killed. It writes a dot for every save. */
async function runUntilKilled(settings: readonly string[], saves: number): Promise<boolean> {
  const child = spawn(process.execPath, ['--conditions=@octavo/source', script, ...settings], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let seen = 0
  child.stdout.on('data', (dots: Buffer) => {
    seen += dots.length
    if (seen >= saves) child.kill('SIGKILL')
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  expect(code === 0 || code === null, `a reader ended with ${code}`)
  return code === null
}
