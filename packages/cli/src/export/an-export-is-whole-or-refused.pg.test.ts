import { lstatSync, readFileSync, statSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import type { Ran } from '../../test/support/served-octavo.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const objects = 3_500
const lineOf = (id: number, text = `thing ${id}`) => `${JSON.stringify({ id, text })}\n`
const content = Array.from({ length: objects }, (_, id) => lineOf(id)).join('')

const served = forAllTests(serveCommand)

beforeAll(async () => {
  await served.declare(defineType('thing', { id: 'integer searchable', text: 'string' }))
  await load(content)
})
beforeEach(async () => {
  for (const name of await readdir(served.folder)) await rm(join(served.folder, name), { recursive: true })
})

const place = (name: string): string => join(served.folder, name)

async function load(lines: string): Promise<void> {
  await writeFile(place('load.ndjson'), lines)
  expect((await served.run(['load', 'thing', 'load.ndjson'])).code).toBe(0)
  await rm(place('load.ndjson'))
}

/** Called before the page with this number is asked for. */
const beforePage = (page: number, act: () => unknown): typeof fetch => {
  let pages = 0
  return async (url, init) => {
    if (typeof url !== 'string' || !url.endsWith('/search')) return fetch(url, init)
    pages += 1
    if (pages === page) await act()
    return fetch(url, init)
  }
}

async function stopped(...words: readonly string[]): Promise<void> {
  const stop = new AbortController()
  const end = await served.run(['export', 'thing', ...words], {
    stopAsked: stop.signal,
    fetch: beforePage(3, () => stop.abort()),
  })
  expect(end.code).toBe(130)
}

const exported = (...words: readonly string[]): Promise<Ran> => served.run(['export', 'thing', ...words])
const left = async (): Promise<readonly string[]> =>
  (await readdir(served.folder)).filter((name) => /[.]part|octavo-export/.test(name))

it('what an unfinished export has is not made longer, and not taken as it was if it was changed', async () => {
  for (const harm of [
    () => truncate(place('x.ndjson.part'), 100),
    async () => {
      const file = await open(place('x.ndjson.part'), 'r+')
      await file.write('X', 10)
      await file.close()
    },
    () => rm(place('x.ndjson.part')),
  ]) {
    await stopped('--out', 'x.ndjson')
    await harm()
    const resumed = await exported('--out', 'x.ndjson', '--resume')
    expect(resumed).toMatchObject({ code: 2, out: '', err: expect.stringContaining('cannot be resumed: ') })
    expect(resumed.err).toContain('Start over with --restart.')
    expect(await readdir(served.folder)).not.toContain('x.ndjson')
    expect((await exported('--out', 'x.ndjson', '--restart')).code).toBe(0)
    expect(await readFile(place('x.ndjson'), 'utf8')).toBe(content)
    expect(await left()).toEqual([])
    await rm(place('x.ndjson'))
  }
})

it('exports to two folders have nothing to do with each other', async () => {
  await mkdir(place('a'))
  await mkdir(place('b'))
  await stopped('--out', 'a/x.ndjson')
  await load(lineOf(7, 'later'))
  await stopped('--out', 'b/x.ndjson')
  expect((await exported('--out', 'a/x.ndjson', '--resume')).out).toContain('at version 1.')
  expect((await exported('--out', 'b/x.ndjson', '--resume')).out).toContain('at version 2.')
  expect(await readFile(place('a/x.ndjson'), 'utf8')).toBe(content)
  expect(await readFile(place('b/x.ndjson'), 'utf8')).toBe(content.replace(lineOf(7), lineOf(7, 'later')))
  expect(await readdir(place('a'))).toEqual(['x.ndjson'])
  await load(lineOf(7))
})

it('of two exports to one name the second is refused with every option, and the first is whole', async () => {
  const seconds: Ran[] = []
  const first = await served.run(['export', 'thing', '--out', 'x.ndjson'], {
    fetch: beforePage(3, async () => {
      for (const how of [[], ['--resume'], ['--restart'], ['--partitions', '3']]) {
        seconds.push(await exported('--out', './x.ndjson', '--where', 'id lt 9', ...how))
      }
    }),
  })
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('Exported 3,500 objects') })
  expect(seconds).toHaveLength(4)
  for (const second of seconds) {
    expect(second).toMatchObject({ code: 1, out: '' })
    expect(second.err).toContain(
      'Another octavo export is writing ./x.ndjson: let it finish, or stop it, or give --out another name.',
    )
  }
  expect(await readFile(place('x.ndjson'), 'utf8')).toBe(content)
  expect(await left()).toEqual([])
})

it.each(['x.ndjson', 'x.csv'])(
  '%s that is changed while it is written does not get its name',
  async (name) => {
    const harmed = await served.run(['export', 'thing', '--out', name], {
      fetch: beforePage(4, async () => {
        const file = await open(place(`${name}.part`), 'r+')
        await file.write('7', 20)
        await file.close()
      }),
    })
    expect(harmed).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('It did not get its name.'),
    })
    expect(await readdir(served.folder)).not.toContain(name)
    expect(await exported('--out', name, '--restart')).toMatchObject({ code: 0 })
  },
)

it('a file that is not of an export is never written over, and no link is followed', async () => {
  await writeFile(place('mine.ndjson.part'), 'precious')
  await symlink(place('mine.ndjson.part'), place('link.ndjson.part'))
  await symlink(place('mine.ndjson.part'), place('target.ndjson'))
  await symlink(place('nothing'), place('nowhere.ndjson'))
  for (const how of [[], ['--restart'], ['--resume'], ['--partitions', '2']]) {
    for (const name of ['mine', 'link']) {
      const end = await exported('--out', `${name}.ndjson`, ...how)
      expect(end).toMatchObject({
        code: 2,
        err: expect.stringContaining(`${name}.ndjson.part is in the way`),
      })
    }
    for (const name of ['target', 'nowhere']) {
      const end = await exported('--out', `${name}.ndjson`, ...how)
      expect(end).toMatchObject({ code: 2, err: expect.stringContaining('is a symbolic link to ') })
    }
  }
  expect(readFileSync(place('mine.ndjson.part'), 'utf8')).toBe('precious')
  expect(lstatSync(place('target.ndjson')).isSymbolicLink()).toBe(true)
  expect((await readdir(served.folder)).toSorted()).toEqual([
    'link.ndjson.part',
    'mine.ndjson.part',
    'nowhere.ndjson',
    'target.ndjson',
  ])
})

it('an export that could not begin leaves nothing, and one that is made can be read by its owner alone', async () => {
  const query = '{"type":"eq","field":"nothing","value":1}'
  expect((await exported('--out', 'x.ndjson', '--query', query)).code).toBe(1)
  expect(await readdir(served.folder)).toEqual([])
  for (const name of ['x.ndjson', 'x.csv', 'x.parquet']) {
    expect((await exported('--out', name)).code).toBe(0)
    expect(statSync(place(name)).mode & 0o777).toBe(0o600)
  }
})

it('the state of another export in the same place is not taken, and one that is not a state is discarded by --restart', async () => {
  await mkdir(place('a-1'))
  await stopped('--out', 'a-{partition}/x.ndjson')
  for (const how of [[], ['--restart'], ['--resume']]) {
    const other = await exported('--out', 'a-1/x.ndjson', ...how)
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining('a-{partition}/x.ndjson that was not finished'),
    })
  }
  await writeFile(place('a-1/x.ndjson.octavo-export.json'), '')
  expect((await exported('--out', 'a-{partition}/x.ndjson')).err).toContain('start over with --restart')
  expect((await exported('--out', 'a-{partition}/x.ndjson', '--restart')).code).toBe(0)
  expect(await readFile(place('a-1/x.ndjson'), 'utf8')).toBe(content)
})
