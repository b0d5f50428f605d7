import { spawnSync } from 'node:child_process'
import { lstatSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Snapshot } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const objects = 5_500
const lineOf = (id: number) => `${JSON.stringify({ id, text: `thing ${id}` })}\n`
const content = Array.from({ length: objects }, (_, id) => lineOf(id)).join('')

const served = forAllTests(serveCommand)

beforeAll(async () => {
  await served.declare(defineType('thing', { id: 'integer searchable', text: 'string' }))
  await writeFile(join(served.folder, 'all.ndjson'), content)
  expect((await served.run(['load', 'thing', 'all.ndjson'])).code).toBe(0)
})

const read = (name: string): Promise<string> => readFile(join(served.folder, name), 'utf8')

/** Aborts or replaces the answer of the page with this number. */
const atPage = (page: number, act: () => Response | undefined): typeof fetch => {
  let pages = 0
  return async (url, init) => {
    if (typeof url !== 'string' || !url.endsWith('/search')) return fetch(url, init)
    pages += 1
    return (pages === page ? act() : undefined) ?? fetch(url, init)
  }
}

const refusal = (status: number, errorName: string): Response =>
  Response.json(
    {
      errorCode: status === 409 ? 'CONFLICT' : 'INVALID_ARGUMENT',
      errorName,
      errorInstanceId: 'c1b8c4f6-2a53-4a2e-9d61-4d3f3f3f3f3f',
      parameters: {},
      errorDescription: 'The snapshot is gone.',
    },
    { status },
  )

it.each([
  [[], 'none'],
  [['--compress', 'gzip'], 'gzip'],
  [['--url', 'http://octavo.example'], 'zstd'],
  [['--url', 'http://octavo.example', '--compress', 'none'], 'none'],
] as const)('export %j receives its pages with the coding %s', async (flags, coding) => {
  const codings = new Set<string>()
  const watched: typeof fetch = async (url, init) => {
    const to = (url instanceof Request ? url.url : String(url)).replace('http://octavo.example', served.url)
    const response = await fetch(to, init)
    if (to.endsWith('/search')) codings.add(response.headers.get('content-encoding') ?? 'none')
    return response
  }
  const end = await served.run(['export', 'thing', ...flags], { fetch: watched })
  expect([end.code, end.out]).toEqual([0, content])
  expect([...codings]).toEqual([coding])
})

it('an export has its name only when it is whole, and says how many objects of which version', async () => {
  const end = await served.run(['export', 'thing', '--out', 'whole.ndjson'])
  expect([end.code, end.out]).toEqual([0, 'Exported 5,500 objects of thing at version 1.\n'])
  expect(await read('whole.ndjson')).toBe(content)
  expect((await readdir(served.folder)).filter((name) => /[.]part|octavo-export/.test(name))).toEqual([])

  const some = await served.run(['export', 'thing', '--where', 'id lt 2'])
  expect([some.out, some.err]).toEqual([lineOf(0) + lineOf(1), 'Exported 2 objects of thing at version 1.\n'])
})

it('an export that was stopped continues with the state that it began with', async () => {
  const stop = new AbortController()
  const stopped = await served.run(['export', 'thing', '--out', 'stopped.ndjson'], {
    stopAsked: stop.signal,
    fetch: atPage(4, () => {
      stop.abort()
      return undefined
    }),
  })
  expect(stopped.code).toBe(130)
  expect(stopped.err).toContain('octavo export thing --out stopped.ndjson --resume')
  expect(await readdir(served.folder)).not.toContain('stopped.ndjson')

  await writeFile(
    join(served.folder, 'change.ndjson'),
    '{"id":1,"text":"changed"}\n{"id":5400,"text":"changed"}\n',
  )
  expect((await served.run(['load', 'thing', 'change.ndjson'])).code).toBe(0)
  expect((await served.run(['export', 'thing', '--out', 'stopped.ndjson'])).err).toContain('was not finished')
  // Bytes that were written after the state was saved are not trusted.
  await writeFile(join(served.folder, 'stopped.ndjson.part'), content, { flag: 'a' })
  const resumed = await served.run(['export', 'thing', '--out', 'stopped.ndjson', '--resume'])
  expect(resumed.out).toBe('Exported 5,500 objects of thing at version 1.\n')
  expect(await read('stopped.ndjson')).toBe(content)
})

it('an export whose snapshot is gone says so, and starts over only with --restart', async () => {
  const gone = await served.run(['export', 'thing', '--out', 'gone.ndjson'], {
    fetch: atPage(3, () => refusal(409, 'ConsistentSnapshotError')),
  })
  expect(gone.code).toBe(1)
  expect(gone.err).toContain('octavo export thing --out gone.ndjson --restart')
  const again = await served.run(['export', 'thing', '--out', 'gone.ndjson', '--restart'])
  expect(again.out).toBe('Exported 5,500 objects of thing at version 2.\n')
  expect(await read('gone.ndjson')).toBe(
    content
      .replace(lineOf(1), '{"id":1,"text":"changed"}\n')
      .replace(lineOf(5400), '{"id":5400,"text":"changed"}\n'),
  )
})

it('an export in partitions is the same file, or one file for each partition', async () => {
  const whole = await served.run(['export', 'thing', '--partitions', '4', '--out', 'in-partitions.ndjson'])
  expect([whole.code, whole.out]).toEqual([0, 'Exported 5,500 objects of thing at version 2.\n'])
  const expected = (await served.run(['export', 'thing'])).out
  expect(await read('in-partitions.ndjson')).toBe(expected)
  const csv = await served.run(['export', 'thing', '--partitions', '3', '--out', 'in-partitions.csv'])
  expect(csv.code).toBe(0)
  expect(await read('in-partitions.csv')).toBe((await served.run(['export', 'thing', '--format', 'csv'])).out)

  const apart = await served.run([
    'export',
    'thing',
    '--partitions',
    '3',
    '--out',
    'partition-{partition}.csv',
    '--json',
  ])
  expect(JSON.parse(apart.out)).toMatchObject({ objectCount: 5_500, fileCount: 3, version: '2' })
  const files = await Promise.all([1, 2, 3].map((partition) => read(`partition-${partition}.csv`)))
  for (const file of files) expect(file.startsWith('id,text\n')).toBe(true)
  const rows = files.flatMap((file) => file.split('\n').slice(1, -1))
  expect(rows).toEqual((await read('in-partitions.csv')).split('\n').slice(1, -1))
  expect((await readdir(served.folder)).filter((name) => /[.]part|octavo-export/.test(name))).toEqual([])
})

it('an export in partitions that was stopped continues each partition', async () => {
  const command = ['export', 'thing', '--partitions', '3', '--out', 'partitions-stopped.ndjson']
  const stop = new AbortController()
  const stopped = await served.run(command, {
    stopAsked: stop.signal,
    fetch: atPage(5, () => {
      stop.abort()
      return undefined
    }),
  })
  expect(stopped.code).toBe(130)
  expect(stopped.err).toContain('octavo export thing --out partitions-stopped.ndjson --resume')
  expect(await readdir(served.folder)).not.toContain('partitions-stopped.ndjson')
  const before = (await served.run(['export', 'thing'])).out
  await writeFile(
    join(served.folder, 'later.ndjson'),
    '{"id":2,"text":"later"}\n{"id":5300,"text":"later"}\n',
  )
  expect((await served.run(['load', 'thing', 'later.ndjson'])).code).toBe(0)
  const resumed = await served.run(['export', 'thing', '--out', 'partitions-stopped.ndjson', '--resume'])
  expect(resumed).toMatchObject({ code: 0, out: 'Exported 5,500 objects of thing at version 2.\n' })
  expect(await read('partitions-stopped.ndjson')).toBe(before)
})

it('P257: an export in partitions notices an object that was changed on its way', async () => {
  let pages = 0
  const end = await served.run(['export', 'thing', '--partitions', '2', '--out', 'wrong.ndjson'], {
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      const body = (await response.json()) as { data?: { properties?: Record<string, unknown> }[] }
      if (typeof url === 'string' && url.endsWith('/search')) pages += 1
      if (pages === 1) Object.assign(body.data?.[3]?.properties ?? {}, { text: 'other' })
      // Without a digest of its bytes, which would tell.
      return Response.json(body, { status: response.status })
    },
  })
  expect(end.code).toBe(1)
  expect(end.err).toContain('are not those of the version that was exported')
  expect(await readdir(served.folder)).not.toContain('wrong.ndjson')
})

it('types are exported as they were at one moment, with a snapshot token', async () => {
  const taken = await served.run(['snapshot', 'thing'])
  expect(taken).toMatchObject({ code: 0, err: expect.stringContaining('It can be read until') })
  const token = taken.out.trim()
  const before = (await served.run(['export', 'thing'])).out
  await writeFile(join(served.folder, 'newer.ndjson'), '{"id":7,"text":"newer"}\n')
  expect((await served.run(['load', 'thing', 'newer.ndjson'])).code).toBe(0)
  expect((await served.run(['export', 'thing'])).out).not.toBe(before)
  expect((await served.run(['export', 'thing', '--at', token])).out).toBe(before)
  const inPartitions = ['export', 'thing', '--at', token, '--partitions', '3', '--out', 'at.ndjson']
  expect((await served.run(inPartitions)).code).toBe(0)
  expect(await read('at.ndjson')).toBe(before)
  const listed = await served.run(['list', 'thing', '--where', 'id eq 7', '--at', token, '--json'])
  expect(JSON.parse(listed.out)).toMatchObject({ properties: { id: 7, text: 'thing 7' } })
  const all = JSON.parse((await served.run(['snapshot', '--json'])).out) as { versions: object }
  expect(Object.keys(all.versions)).toContain('thing')
  const wrong = await served.run(['export', 'thing', '--at', `${token}x`])
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('snapshot') })
  expect((await served.run(['snapshot', 'thng'])).err).toContain('thing')
})

it('partitions to standard output are refused, with what to do', async () => {
  const end = await served.run(['export', 'thing', '--partitions', '2'])
  expect(end).toMatchObject({ code: 2, err: expect.stringContaining('give --out FILE') })
  const many = await served.run(['export', 'thing', '--partitions', '65', '--out', 'a.csv'])
  expect(many).toMatchObject({ code: 2, err: expect.stringContaining('from 1 to 64') })
})

it('- is standard output, and a pipe or a device is written to, not replaced', async () => {
  const some = ['export', 'thing', '--where', 'id lt 1']
  const end = await served.run([...some, '--out', '-'])
  expect([end.code, end.err]).toEqual([0, expect.stringContaining('Exported 1 object')])
  expect(end.out).toBe(lineOf(0))
  const pipe = join(served.folder, 'pipe')
  spawnSync('sh', ['-c', 'mkfifo "$0"', pipe])
  const [, text] = await Promise.all([served.run([...some, '--out', 'pipe']), readFile(pipe, 'utf8')])
  expect(text).toBe(lineOf(0))
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

it('a name that tells no format is refused with the names that do', async () => {
  const end = await served.run(['export', 'thing', '--out', 'things.orc'])
  expect(end).toMatchObject({
    code: 2,
    err: 'The name things.orc does not tell a format: end it in .ndjson, .jsonl, .json, .csv, .parquet, or add --format ndjson, --format csv or --format parquet.\n',
  })
  const packed = await served.run(['export', 'thing', '--out', 'things.csv.gz'])
  expect(packed).toMatchObject({ code: 2, err: expect.stringContaining('| gzip > things.csv.gz') })
  const given = ['export', 'thing', '--where', 'id lt 1', '--out', 'things.txt', '--format', 'csv']
  expect((await served.run(given)).code).toBe(0)
  expect(await read('things.txt')).toBe('id,text\n0,thing 0\n')
})

it('with --json, a refusal of the service has its name and its parameters, and nothing is beside it', async () => {
  const end = await served.run([
    'export',
    'thing',
    '--json',
    '--query',
    '{"type":"eq","field":"txt","value":"a"}',
  ])
  expect(end).toMatchObject({ code: 1, out: '' })
  expect(JSON.parse(end.err)).toMatchObject({
    errorName: 'PropertiesNotFound',
    parameters: { properties: ['txt'], didYouMean: ['text'] },
    exitCode: 1,
  })
})

it('P283, P284: snapshot --as-of names the state of a version or of a time', async () => {
  const versionNow = async () => {
    const { out } = await served.run(['snapshot', 'thing', '--json'])
    return (JSON.parse(out) as Snapshot).versions['thing'] ?? ''
  }
  const before = await versionNow()
  const asOf = async (moment: string) => {
    const taken = await served.run(['snapshot', 'thing', '--as-of', moment, '--json'])
    return (JSON.parse(taken.out) as Snapshot).versions
  }
  const time = new Date().toISOString()
  await writeFile(join(served.folder, 'later.ndjson'), '{"id":8,"text":"later"}\n')
  expect((await served.run(['load', 'thing', 'later.ndjson'])).code).toBe(0)
  expect(await versionNow()).not.toBe(before)
  expect(await asOf(before)).toEqual({ thing: before })
  expect(await asOf(time)).toEqual({ thing: before })
  expect(await served.run(['snapshot', 'thing', '--as-of', '2001-01-01T00:00:00Z'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('older states are no longer kept') as string,
  })
})
