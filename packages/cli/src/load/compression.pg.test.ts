import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const content = Array.from(
  { length: 300 },
  (_, id) => `${JSON.stringify({ id, text: `thing ${id}` })}\n`,
).join('')

const served = forAllTests(serveCommand)
let types = 0

beforeAll(() => writeFile(join(served.folder, 'things.ndjson'), content))

async function newType(): Promise<string> {
  types += 1
  const definition = defineType(`thing${types}`, { id: 'integer', text: 'string' })
  await served.declare(definition)
  return definition.apiName
}

const elsewhere = 'http://octavo.example'

interface Watching {
  /** The answer in place of that of the service; `sent` counts the bodies so far, this one included. */
  readonly meddle?: (coding: string, sent: number) => Response | undefined
  /** Whether a request arrives whose answer is replaced. */
  readonly arrives?: true
}

/** Takes requests for another machine to the service, and notes how their bodies are compressed. */
function watching({ meddle, arrives }: Watching = {}) {
  const codings: string[] = []
  const watched: typeof fetch = async (url, init) => {
    const to = (url instanceof Request ? url.url : String(url)).replace(elsewhere, served.url)
    if (init?.body === undefined) return fetch(to, init)
    const coding = new Headers(init.headers).get('content-encoding') ?? 'none'
    codings.push(coding)
    const answer = meddle?.(coding, codings.length)
    if (answer !== undefined && arrives !== true) return answer
    const real = await fetch(to, init)
    return answer ?? real
  }
  return { codings, fetch: watched }
}

const exported = async (type: string): Promise<string> => (await served.run(['export', type])).out

/** A service of a release that unpacks nothing. */
it.each([
  ['load', [], 'none'],
  ['load', ['--url', elsewhere], 'zstd'],
  ['load', ['--compress', 'gzip'], 'gzip'],
  ['load', ['--compress', 'zstd'], 'zstd'],
  ['load', ['--url', elsewhere, '--compress', 'none'], 'none'],
  ['replace', [], 'none'],
  ['replace', ['--url', elsewhere], 'zstd'],
  ['replace', ['--compress', 'gzip'], 'gzip'],
] as const)('%s %j sends bodies with the coding %s', async (command, flags, coding) => {
  const type = await newType()
  const { codings, fetch: watched } = watching()
  const end = await served.run([command, type, 'things.ndjson', ...flags], { fetch: watched })
  expect([end.code, end.err]).toEqual([0, ''])
  expect(codings).toEqual([coding])
  expect(await exported(type)).toBe(content)
})

it('a compressed batch whose answer is lost is sent again, and applied once', async () => {
  const type = await newType()
  const busy = () => new Response('busy', { status: 503, headers: { 'retry-after': '0' } })
  // Each body arrives; every other answer is lost.
  const { codings, fetch: watched } = watching({
    meddle: (_, sent) => (sent % 2 === 1 ? busy() : undefined),
    arrives: true,
  })
  const words = ['load', type, 'things.ndjson', '--url', elsewhere, '--batch-bytes', '2000']
  const end = await served.run(words, { fetch: watched })
  expect(end.out).toContain('300 created, 0 updated, 0 unchanged')
  expect(new Set(codings)).toEqual(new Set(['zstd']))
  expect(await exported(type)).toBe(content)
})

it('a compressed replacement is sent again after a lost answer, and is one version', async () => {
  const type = await newType()
  const { codings, fetch: watched } = watching({
    meddle: (_, sent) =>
      sent === 1 ? new Response('busy', { status: 503, headers: { 'retry-after': '0' } }) : undefined,
    arrives: true,
  })
  const end = await served.run(['replace', type, 'things.ndjson', '--url', elsewhere], { fetch: watched })
  expect([end.code, codings]).toEqual([0, ['zstd', 'zstd']])
  expect(end.out).toContain('version 1.')
})

it('records that are refused are named by their line in the file, and left out, also if they were compressed', async () => {
  const type = await newType()
  await writeFile(join(served.folder, 'bad.ndjson'), `${content}{"id":"x"}\n{"id":1000}\n`)
  const loaded = await served.run(['load', type, 'bad.ndjson', '--compress', 'zstd'])
  expect(loaded.code).toBe(3)
  expect(loaded.out).toContain('301 created, 0 updated, 0 unchanged, 1 rejected')
  expect(loaded.err).toContain('bad.ndjson, line 301')
  const replaced = await served.run(['replace', type, 'bad.ndjson', '--compress', 'zstd'])
  expect(replaced.code).toBe(1)
  expect(replaced.err).toContain('bad.ndjson, line 301')
})

it('a replacement from standard input is sent as it is, unless compression is asked for', async () => {
  const type = await newType()
  const input = () => ({ stream: Readable.from([Buffer.from(content)]), isTerminal: false })
  const words = ['replace', type, '-', '--url', elsewhere]
  const plain = watching()
  expect((await served.run(words, { fetch: plain.fetch, input: input() })).code).toBe(0)
  expect(plain.codings).toEqual(['none'])
  const packed = watching()
  expect(
    (await served.run([...words, '--compress', 'gzip'], { fetch: packed.fetch, input: input() })).code,
  ).toBe(0)
  expect(packed.codings).toEqual(['gzip'])
  expect(await exported(type)).toBe(content)
})
