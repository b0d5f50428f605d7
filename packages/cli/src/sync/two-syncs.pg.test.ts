import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { startCommand, type CommandProcess } from '../../test/support/command-process.ts'
import { copyKinds, copyPlace } from '../../test/support/copy-places.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const thing = defineType('thing', { id: 'integer searchable', text: 'string' })

describe.each(copyKinds)('two syncs write to one copy in %s', (kind) => {
  const served = forAllTests(serveCommand)
  const copy = forAllTests(() => copyPlace(kind, served.folder))

  beforeAll(async () => {
    await served.declare(thing)
    await put(Array.from({ length: 3_000 }, (_, id) => ({ id, text: 'first' })))
  })

  const put = async (things: readonly object[]): Promise<void> => {
    const file = join(served.folder, 'things.ndjson')
    await writeFile(file, things.map((each) => `${JSON.stringify(each)}\n`).join(''))
    expect((await served.run(['load', 'thing', file])).code).toBe(0)
  }
  const words = () => ['sync', 'thing', '--to', copy.to, '--json']
  const isEqual = async (): Promise<void> => {
    const { code, out, err } = await served.run(['verify', '--to', copy.to])
    expect([err, out, code]).toEqual(['', expect.stringContaining('checksum equal'), 0])
  }
  /** Either it has done its work, or it says that it was not alone. */
  const expectTold = ({ code, err }: { readonly code: number | null; readonly err: string }): void => {
    if (code === 0) return
    expect([code, err]).toEqual([1, expect.stringContaining('Another octavo sync is writing thing')])
  }

  /** It has reported a state, or that it is not alone. */
  const hasBegun = (run: CommandProcess): (() => boolean) => {
    let isOver = false
    void run.ended.then(() => (isOver = true))
    return () => isOver || run.out() !== ''
  }

  it('for the first time: one of them may be stopped, and the copy is right', async () => {
    const runs = [startCommand(served, words()), startCommand(served, words())]
    const ended = await Promise.all(runs.map(async (run) => ({ code: await run.ended, err: run.err() })))
    for (const each of ended) expectTold(each)
    expect(ended.map(({ code }) => code)).toContain(0)
    await isEqual()
  })

  // A second writer of a SQLite file blocks its whole process, and here both writers are in one.
  it.runIf(kind === 'PostgreSQL')(
    'one later than the other, which has not finished: the copy never is a mixture of two states',
    async () => {
      // The first one stops after it has read the state of the copy, before it has written anything.
      const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      await put([{ id: 10_000, text: 'there for a moment' }])
      const first = served.run(words(), {
        fetch: async (url, init) => {
          const response = await fetch(url, init)
          if (typeof url === 'string' && url.endsWith('/changes')) {
            reached.resolve()
            await goOn.promise
          }
          return response
        },
      })
      await reached.promise
      await served.run(['delete', 'thing', '10000', '--yes'])
      await put([{ id: 5, text: 'only the second knows this' }])
      const second = served.run(words())
      // Alone, it would need much less.
      await Promise.race([second, sleep(3_000)])
      goOn.resolve()
      for (const each of [await first, await second]) expectTold(each)
      await isEqual()
      expect((await served.run(words())).code).toBe(0)
      await isEqual()
      expect(await copy.query('select id from thing where id = 10000')).toEqual([])
    },
  )

  it('both follow: the copy is right after each of them that is stopped', async () => {
    const runs = [1, 2].map(() => startCommand(served, [...words(), '--follow']))
    for (const begun of runs.map(hasBegun)) await expect.poll(begun).toBe(true)
    for (let round = 0; round < 10; round += 1) {
      await put([{ id: round, text: `round ${round}` }])
      await served.run(['delete', 'thing', String(1_000 + round), '--yes'])
    }
    const ended = await Promise.all(
      runs.map(async (run) => ({ code: await run.end('SIGTERM'), err: run.err() })),
    )
    for (const each of ended) expectTold(each)
    await isEqual()
  })
})
