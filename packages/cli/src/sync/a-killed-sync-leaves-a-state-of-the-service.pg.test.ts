import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { startCommand } from '../../test/support/command-process.ts'
import { copyKinds, copyPlace } from '../../test/support/copy-places.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

/** In each of the four tests. */
const kills = 3
const objects = 20_000

const typeOf = (apiName: string) => defineType(apiName, { id: 'integer searchable', text: 'string' })

describe.each(copyKinds)(
  'in %s',
  (kind) => {
    const served = forAllTests(serveCommand)
    const copy = forAllTests(() => copyPlace(kind, served.folder))
    let words: readonly string[]

    beforeAll(async () => {
      words = ['sync', 'thing', 'other', '--to', copy.to, '--partitions', '2']
      for (const name of ['thing', 'other']) {
        await served.declare(typeOf(name))
        await put(name, 0, objects, 'first')
      }
    })

    const put = async (type: string, from: number, count: number, text: string): Promise<void> => {
      const file = join(served.folder, `${type}-${text}.ndjson`)
      const lines = Array.from({ length: count }, (_, i) => JSON.stringify({ id: from + i, text }))
      await writeFile(file, lines.join('\n'))
      expect((await served.run(['load', type, file])).code).toBe(0)
    }

    const isThere = async (): Promise<boolean> => {
      const { code, out, err } = await served.run(['verify', '--to', copy.to])
      if (/There is no file|has no copy/.test(err)) return false
      expect([err, out.match(/checksum equal/g)?.length, code]).toEqual(['', 2, 0])
      return true
    }

    const removeCopy = async (): Promise<void> => {
      if (kind === 'SQLite') {
        for (const end of ['', '-wal', '-shm'])
          await rm(join(served.folder, `${copy.to}${end}`), { force: true })
        return
      }
      await copy.query('drop table thing, other, octavo_sync, octavo_sync_loads')
    }

    it(`a first load is killed ${kills} times, and what is seen is nothing or all of it`, async () => {
      const startedAt = performance.now()
      expect(await startCommand(served, words).ended).toBe(0)
      const wholeMs = performance.now() - startedAt
      expect(await isThere()).toBe(true)
      await removeCopy()
      const seen: boolean[] = []
      // On a busy machine one load takes much longer than another: some kills may come too late.
      while (seen.length < kills || (!seen.includes(false) && seen.length < 5 * kills)) {
        const run = startCommand(served, words)
        await sleep(wholeMs * (0.2 + 0.7 * Math.random()))
        await run.end('SIGKILL')
        const isWhole = await isThere()
        seen.push(isWhole)
        if (isWhole) await removeCopy()
      }
      // Otherwise nothing was killed halfway.
      expect(seen).toContain(false)
      const last = startCommand(served, words)
      expect(await last.ended, last.err()).toBe(0)
      expect(await isThere()).toBe(true)
    })

    it(`one that follows is killed ${kills} times while others write, and the copy is a state`, async () => {
      const stop = new AbortController()
      const writing = (async () => {
        for (let round = 0; !stop.signal.aborted; round += 1) {
          await put('thing', (round * 137) % objects, 500, `round ${round}`)
          await put('other', objects + round, 1, `round ${round}`)
          await served.run(['delete', 'thing', String((round * 7) % objects), '--yes'])
        }
      })()
      const versions = new Set<string>()
      for (let kill = 0; kill < kills; kill += 1) {
        const run = startCommand(served, [...words, '--follow', '--json'])
        // The lines of the first state, and one of those that follow.
        while (run.out().split('\n').length <= 3) await Promise.race([sleep(20), run.ended])
        await sleep(500 * Math.random())
        expect([await run.end('SIGKILL'), run.err()]).toEqual([null, ''])
        expect(await isThere()).toBe(true)
        for (const state of await copy.query('select version from octavo_sync')) {
          versions.add(String(Object(state)['version']))
        }
      }
      stop.abort()
      await writing
      // Otherwise nothing was followed.
      expect(versions.size).toBeGreaterThanOrEqual(kills)
      expect((await served.run([...words])).code).toBe(0)
      expect(await isThere()).toBe(true)
    })
  },
  300_000,
)
