import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TypeCommit } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { requestPath } from '../connection/request-path.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { testContext } from '../../test/support/test-context.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const definition = (apiName: string) =>
  defineType(apiName, { id: 'integer', rank: 'integer sortable', text: 'string' })

const count = 10_000
const filling = 'x'.repeat(900)
const lines = (make: (id: number) => object = (id) => ({ id, rank: id % 7, text: filling })): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify(make(i))}\n`).join('')

const served = forAllTests(serveCommand)
let type = ''
let types = 0

beforeAll(() => writeFile(join(served.folder, 'large.ndjson'), lines()))
beforeEach(async () => {
  type = `thing${(types += 1)}`
  await served.declare(definition(type))
})

const load = ['load', 'TYPE', 'large.ndjson', '--retry-seconds', '0']
const words = (...more: readonly string[]) =>
  [...load, ...more].map((word) => (word === 'TYPE' ? type : word))
const exported = async () => (await served.run(['export', type])).out
const commits = () =>
  served.connection.allItems<TypeCommit>({ path: requestPath`/api/served/v1/objects/types/${type}/commits` })
const leftFiles = async () => (await readdir(served.folder)).filter((name) => name.includes('octavo-load'))

const addressOf = (url: Parameters<typeof fetch>[0]): string =>
  url instanceof Request ? url.url : url instanceof URL ? url.href : url

const ofOntology = /^\/manage\/v1\/ontologies\/[^/]+(\/objectTypes\/\w+(?=\/))?/

/** Answers with what `meddle` returns or throws; otherwise the service does. Keeps the methods and paths. */
const watchedFetch = (meddle: (path: string, sent: number) => Response | undefined = () => undefined) => {
  const asked: string[] = []
  const meddling: typeof fetch = async (url, init) => {
    const path = `${init?.method ?? 'GET'} ${new URL(addressOf(url)).pathname.replace(ofOntology, '')}`
    asked.push(path)
    return meddle(path, asked.filter((one) => one === path).length) ?? fetch(url, init)
  }
  return { asked, fetch: meddling }
}
const isPart = (path: string) => loadOfPart(path) !== undefined
const loadOfPart = (path: string) => /^PUT \/loads\/(\w+)\/objectTypes\/\w+\/parts\/\d+$/.exec(path)?.[1]
const unreachable = () => {
  throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
}

it('a large file into an empty type is one load, one version, and says what the service does', async () => {
  let noted = ''
  const { context } = testContext()
  const output = { ...context.output, notesAreShown: true, note: (text: string) => void (noted += text) }
  const { asked, fetch: watched } = watchedFetch()
  const end = await served.run(words(), { fetch: watched, output })
  expect(end.code, noted).toBe(0)
  expect(asked.filter(isPart).length).toBeGreaterThan(5)
  expect(asked.filter((path) => path === 'POST /loads')).toHaveLength(1)
  expect(await commits()).toMatchObject([{ version: '1', created: count }])
  expect(await exported()).toBe(lines())
  expect(await leftFiles()).toEqual([])
})

it('a small file, a type with objects and a merge are sent as batches', async () => {
  const { asked, fetch: watched } = watchedFetch()
  await writeFile(join(served.folder, 'small.ndjson'), '{"id":1}\n')
  expect((await served.run(['load', type, 'small.ndjson'], { fetch: watched })).code).toBe(0)
  expect((await served.run(words(), { fetch: watched })).code).toBe(0)
  expect((await served.run(words('--merge'), { fetch: watched })).code).toBe(0)
  expect(asked.filter((path) => path.includes('/loads'))).toEqual([])
})

it('a service without loads gets batches', async () => {
  const refusal = {
    errorCode: 'CONFLICT',
    errorName: 'LoadsNotSupported',
    errorInstanceId: '7d3f3c4e-0a52-4d0e-9d4b-3a9a5a0b6c11',
    parameters: {},
    errorDescription: 'Send the objects as batches instead.',
  }
  const { asked, fetch: watched } = watchedFetch((path) =>
    path === 'POST /loads' ? Response.json(refusal, { status: 409 }) : undefined,
  )
  expect((await served.run(words(), { fetch: watched })).code).toBe(0)
  expect(asked.filter((path) => path === 'POST /batches').length).toBeGreaterThan(5)
  expect(await exported()).toBe(lines())
})

it('an interrupted load is resumed as the same load, and nothing of it is seen before', async () => {
  let parts = 0
  const cut = watchedFetch((path) => (isPart(path) && (parts += 1) > 4 ? unreachable() : undefined))
  const end = await served.run(words(), { fetch: cut.fetch })
  expect(end.code).toBe(1)
  expect(end.err).toContain(`octavo load ${type} large.ndjson --resume`)
  expect(await exported()).toBe('')
  const resumed = watchedFetch()
  const again = await served.run(words('--resume'), { fetch: resumed.fetch })
  expect(again.out).toContain(`${count.toLocaleString('en')} created, 0 updated, 0 unchanged`)
  expect(resumed.asked.filter((path) => path === 'POST /loads')).toEqual([])
  const loads = new Set([...cut.asked, ...resumed.asked].filter(isPart).map(loadOfPart))
  expect(loads.size).toBe(1)
  expect(await exported()).toBe(lines())
  expect(await commits()).toHaveLength(1)
})

it('one that was interrupted before it began is resumed as one load', async () => {
  const cut = watchedFetch((path) => (path === 'POST /loads' ? unreachable() : undefined))
  expect((await served.run(words(), { fetch: cut.fetch })).code).toBe(1)
  expect(await leftFiles()).toHaveLength(1)
  const resumed = watchedFetch()
  expect((await served.run(words('--resume'), { fetch: resumed.fetch })).code).toBe(0)
  expect(resumed.asked.filter((path) => path === 'POST /batches')).toEqual([])
  expect(await commits()).toMatchObject([{ version: '1', created: count }])
})

it('one whose answer at the end was lost is resumed with the receipt', async () => {
  const losing: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    return addressOf(url).endsWith('/finish') ? unreachable() : answer
  }
  expect((await served.run(words(), { fetch: losing })).code).toBe(1)
  const again = await served.run(words('--resume'))
  expect(again.out).toContain(
    `${count.toLocaleString('en')} created, 0 updated, 0 unchanged, 0 rejected; version 1.`,
  )
  expect(await commits()).toHaveLength(1)
})

it('rejected records are left out of a load, counted once and written once', async () => {
  await writeFile(
    join(served.folder, 'bad.ndjson'),
    lines((id) => (id % 500 === 3 ? { id, text: 7 } : { id, text: filling })),
  )
  const end = await served.run(['load', type, 'bad.ndjson'])
  expect(end.code).toBe(3)
  expect(end.out).toContain('9,980 created, 0 updated, 0 unchanged, 20 rejected')
})

it('with too many of them the load is given up, and the file can be loaded again', async () => {
  const bad = lines((id) => ({ id, rank: id % 5 === 0 ? 'x' : 1, text: filling }))
  await writeFile(join(served.folder, 'worse.ndjson'), bad)
  const { asked, fetch: watched } = watchedFetch()
  const end = await served.run(['load', type, 'worse.ndjson', '--max-rejected', '10'], { fetch: watched })
  expect(end.code).toBe(1)
  expect(asked.filter((path) => path.startsWith('DELETE /loads/'))).toHaveLength(1)
  expect(await exported()).toBe('')
  expect(await leftFiles()).toEqual([])
})

it('replacing by a large file is a load, into an empty type and into one with objects', async () => {
  const { asked, fetch: watched } = watchedFetch()
  const replace = ['replace', type, 'large.ndjson']
  const first = await served.run(replace, { fetch: watched })
  expect([first.code, first.out]).toEqual([
    0,
    expect.stringContaining('10,000 created, 0 updated, 0 deleted, 0 unchanged'),
  ])
  expect(asked.filter(isPart).length).toBeGreaterThan(5)
  await writeFile(
    join(served.folder, 'other.ndjson'),
    lines((id) => ({ id: id + 2_000, text: filling, rank: (id + 2_000) % 7 })),
  )
  const refused = await served.run(['replace', type, 'other.ndjson'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('would delete 2,000 of 10,000 objects'),
  ])
  const end = await served.run(['replace', type, 'other.ndjson', '--max-deletions', '20%'])
  expect(end.out).toContain('2,000 created, 0 updated, 2,000 deleted, 8,000 unchanged')
})

it('replacing by a large file with a bad record changes nothing', async () => {
  await writeFile(
    join(served.folder, 'one-bad.ndjson'),
    lines((id) => ({ id, text: id === 7_000 ? 7 : filling })),
  )
  const end = await served.run(['replace', type, 'one-bad.ndjson'])
  expect(end.code).toBe(1)
  expect(end.err).toMatch(/one-bad\.ndjson, line 7001: .*\nNothing was replaced/)
  expect(await exported()).toBe('')
})
