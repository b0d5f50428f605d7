import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { TypeCommit } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { requestPath } from '../connection/request-path.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { typing } from '../../test/support/served-octavo.ts'
import { testContext } from '../../test/support/test-context.ts'
import { defineType, structs } from '../../../service/test/support/define-type.ts'

const definition = (apiName: string) =>
  defineType(apiName, {
    id: 'integer',
    text: 'string',
    amount: 'double',
    names: structs({ first: 'string', weight: 'double' }),
  })

const lines = (count: number, make: (id: number) => object = (id) => ({ id, text: `thing ${id}` })): string =>
  Array.from({ length: count }, (_, i) => `${JSON.stringify(make(i))}\n`).join('')

const served = forAllTests(serveCommand)
let types = 0

async function newType(): Promise<string> {
  types += 1
  await served.declare(definition(`thing${types}`))
  return `thing${types}`
}

const fileWith = async (name: string, content: string | Buffer): Promise<string> => {
  await writeFile(join(served.folder, name), content)
  return name
}

const exported = async (type: string): Promise<string> => (await served.run(['export', type])).out

const commitsOf = (type: string): Promise<readonly TypeCommit[]> =>
  served.connection.allItems<TypeCommit>({ path: requestPath`/api/served/v1/objects/types/${type}/commits` })

/** Intercepts calls of the service; what `meddle` returns or throws is the answer. */
const meddling = (meddle: (batches: number) => Response | undefined): typeof fetch => {
  let batches = 0
  return async (url, init) => {
    const isBatch = init?.method === 'POST' || init?.method === 'PUT'
    if (!isBatch) return fetch(url, init)
    batches += 1
    return meddle(batches) ?? fetch(url, init)
  }
}

it('files, packed files and standard input become the same objects', async () => {
  const content = lines(300)
  const plain = await newType()
  await fileWith('plain.ndjson', content)
  const end = await served.run(['load', plain, 'plain.ndjson'])
  expect([end.code, end.err]).toEqual([0, ''])
  expect(end.out).toMatch(
    /^Loaded 300 objects of thing\d+ in [\d.]+ s: 300 created, 0 updated, 0 unchanged, 0 rejected; version 1\.\n$/,
  )
  expect(await exported(plain)).toBe(content)

  const packed = await newType()
  // Detected by its bytes, not by its name.
  await fileWith('packed.ndjson', gzipSync(content))
  expect((await served.run(['load', packed, 'packed.ndjson', '--batch-bytes', '1000'])).code).toBe(0)
  expect(await exported(packed)).toBe(content)

  const piped = await newType()
  for (const bytes of [Buffer.from(content), gzipSync(content)]) {
    const input = { stream: Readable.from([bytes.subarray(0, 99), bytes.subarray(99)]), isTerminal: false }
    expect((await served.run(['load', piped, '-'], { input })).code).toBe(0)
  }
  expect(await exported(piped)).toBe(content)
})

it('the last record of an object wins, however many batches are under way', async () => {
  const type = await newType()
  await fileWith(
    'first.ndjson',
    lines(200, (i) => ({ id: i % 10, text: `first ${i}` })),
  )
  await fileWith(
    'second.ndjson',
    lines(100, (i) => ({ id: i % 5, text: `second ${i}` })),
  )
  // A batch with the same objects must not overtake a delayed one.
  let batches = 0
  const late: typeof fetch = async (url, init) => {
    if (init?.method === 'POST' && (batches += 1) % 3 === 0) await sleep(30)
    return fetch(url, init)
  }
  const end = await served.run(
    ['load', type, 'first.ndjson', 'second.ndjson', '--batch-bytes', '100', '--json'],
    { fetch: late },
  )
  expect(JSON.parse(end.out)).toMatchObject({ rejected: 0, created: expect.any(Number) })
  const texts = (await exported(type))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  expect(texts).toEqual(
    [95, 96, 97, 98, 99].map((i) => `second ${i}`).concat([195, 196, 197, 198, 199].map((i) => `first ${i}`)),
  )
})

it('a load that was stopped continues where it was, and nothing is applied twice', async () => {
  const type = await newType()
  await fileWith('stopped.ndjson', lines(500))
  const words = ['load', type, 'stopped.ndjson', '--batch-bytes', '1500']
  const stop = new AbortController()
  const stopping = meddling((batches) => {
    if (batches === 7) stop.abort()
    return undefined
  })
  const stopped = await served.run(words, { fetch: stopping, stopAsked: stop.signal })
  expect(stopped.code).toBe(130)
  expect(stopped.err).toContain(
    `Stopped.\nTo continue where it stopped:\n  octavo load ${type} stopped.ndjson --resume`,
  )

  const again = await served.run(words)
  expect(again.code).toBe(2)
  expect(again.err).toContain('Continue with --resume, or start over with --restart.')

  const resumed = await served.run([...words, '--resume'])
  expect(resumed.out).toContain('Loaded 500 objects')
  expect(await exported(type)).toBe(lines(500))
  const commits = await commitsOf(type)
  expect(commits.reduce((sum, { created = 0 }) => sum + created, 0)).toBe(500)
  expect(commits.every(({ unchanged }) => unchanged === 0)).toBe(true)
  expect((await readdir(served.folder)).filter((name) => name.includes('octavo-load'))).toEqual([])
})

it('after a lost answer, or a refusal of a busy service, a retry applies nothing twice', async () => {
  const type = await newType()
  await fileWith('lost.ndjson', lines(300))
  let lost = 0
  const losing: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (init?.method !== 'POST') return answer
    lost += 1
    // The batch was applied; only the answer is lost.
    if (lost % 3 === 0) throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
    if (lost % 7 === 0) return new Response('busy', { status: 503, headers: { 'retry-after': '0' } })
    return answer
  }
  const end = await served.run(['load', type, 'lost.ndjson', '--batch-bytes', '2000'], { fetch: losing })
  expect(end.out).toContain('300 created, 0 updated, 0 unchanged')
  const commits = await commitsOf(type)
  expect(commits.reduce((sum, { created = 0, unchanged = 0 }) => sum + created + unchanged, 0)).toBe(300)
})

it('batches whose answer never came are known again by a resumed load', async () => {
  const type = await newType()
  await fileWith('died.ndjson', lines(300))
  const words = ['load', type, 'died.ndjson', '--batch-bytes', '2000', '--retry-seconds', '0']
  let batches = 0
  const dying: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (init?.method !== 'POST' || (batches += 1) < 4) return answer
    throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
  }
  expect((await served.run(words, { fetch: dying })).code).toBe(1)
  const applied = (await commitsOf(type)).length
  expect((await served.run([...words, '--resume'])).out).toContain('300 created, 0 updated, 0 unchanged')
  const commits = await commitsOf(type)
  expect(commits.length).toBeGreaterThan(applied)
  expect(commits.reduce((sum, { created = 0, unchanged = 0 }) => sum + created + unchanged, 0)).toBe(300)
})

it('if the service does not come back, the load ends and names the command to resume it', async () => {
  const type = await newType()
  await fileWith('away.ndjson', lines(50))
  const away = meddling((batches) => {
    if (batches > 2) throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })
    return undefined
  })
  const words = ['load', type, 'away.ndjson', '--batch-bytes', '500', '--retry-seconds', '0']
  const end = await served.run(words, { fetch: away })
  expect(end.code).toBe(1)
  expect(end.err).toContain('says where it is.\nTo continue where it stopped:\n  octavo load')
  await fileWith('away.ndjson', lines(51))
  expect((await served.run([...words, '--resume'])).err).toContain(
    'cannot be resumed: the file has changed since then',
  )
  expect((await served.run([...words, '--restart'])).code).toBe(0)
})

it.each(['load', 'replace'])('%s says on a terminal that it waits for the service', async (command) => {
  const type = await newType()
  await fileWith('waits.ndjson', lines(5))
  // Once the service is there again, the line is the progress again.
  const away = meddling((batches) => {
    if (batches <= 3) throw new TypeError('fetch failed', { cause: refused })
    return undefined
  })
  let noted = ''
  const { context } = testContext()
  const output = { ...context.output, notesAreShown: true, note: (text: string) => void (noted += text) }
  const end = await served.run([command, type, 'waits.ndjson', '--retry-seconds', '30'], {
    fetch: away,
    output,
  })
  expect(end.code, noted).toBe(0)
  expect(noted).toMatch(/waiting for the service \(connection refused\), giving up in \d+ s/)
})

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

it('a dry run of several batches says that it counts in each of them', async () => {
  const type = await newType()
  await fileWith('twice.ndjson', lines(50) + lines(50))
  const whole = await served.run(['load', type, 'twice.ndjson', '--dry-run'])
  expect(whole.out).toContain('50 created')
  expect(whole.out).not.toContain('counted in each')
  const cut = await served.run(['load', type, 'twice.ndjson', '--dry-run', '--batch-bytes', '1000'])
  expect(cut.out).toContain('An object that occurs in several batches is counted in each.')
})

it('a merge is resumed as a merge', async () => {
  const type = await newType()
  await fileWith(
    'whole.ndjson',
    lines(100, (id) => ({ id, text: 'first', amount: id })),
  )
  expect((await served.run(['load', type, 'whole.ndjson'])).code).toBe(0)
  await fileWith('rest.csv', `id,text\n${Array.from({ length: 100 }, (_, id) => `${id},second\n`).join('')}`)
  const words = ['load', type, 'rest.csv', '--merge', '--batch-bytes', '1000', '--retry-seconds', '0']
  const dying = meddling((batches) => {
    if (batches > 1) throw new TypeError('fetch failed', { cause: refused })
    return undefined
  })
  const died = await served.run(words, { fetch: dying })
  expect(died.code).toBe(1)
  // The advice leaves out --merge, which the saved state has.
  expect(died.err).toContain(`octavo load ${type} rest.csv --resume\n`)
  const resumed = await served.run(['load', type, 'rest.csv', '--resume'])
  expect(resumed.out).toContain('0 created, 100 updated, 0 unchanged')
  const objects = (await exported(type)).trim().split('\n')
  expect(objects.map((line) => JSON.parse(line) as object)).toEqual(
    Array.from({ length: 100 }, (_, id) => ({ id, text: 'second', amount: id })),
  )
})

it('rejected records are left out of every batch, counted once and written once, also by a resumed load', async () => {
  const type = await newType()
  const isBad = (i: number) => i % 4 === 0
  await fileWith(
    'bad.ndjson',
    lines(200, (i) => (isBad(i) ? { id: i, text: i } : { id: i, text: 'good' })),
  )
  const words = ['load', type, 'bad.ndjson', '--batch-bytes', '4000']
  const stop = new AbortController()
  const stopping = meddling((batches) => {
    if (batches === 4) stop.abort()
    return undefined
  })
  expect((await served.run(words, { fetch: stopping, stopAsked: stop.signal })).code).toBe(130)
  // The state left by a load that was killed between writing the file and saving the state.
  const rejectedFile = join(served.folder, 'bad.ndjson.rejected.ndjson')
  await writeFile(rejectedFile, '{"id":1}\n', { flag: 'a' })
  await writeFile(`${rejectedFile}.reasons.ndjson`, '{"line":1}\n', { flag: 'a' })
  const end = await served.run([...words, '--resume'])
  expect(end.code).toBe(3)
  expect(end.out).toContain('150 created, 0 updated, 0 unchanged, 50 rejected')
  const reasons = (await readFile(`${rejectedFile}.reasons.ndjson`, 'utf8')).trim().split('\n')
  expect(reasons.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
    Array.from({ length: 50 }, (_, i) => i * 4 + 1),
  )
  expect(await readFile(rejectedFile, 'utf8')).toBe(lines(50, (i) => ({ id: i * 4, text: i * 4 })))

  const few = await served.run(['load', type, 'bad.ndjson', '--max-rejected', '10'])
  expect(few.code).toBe(1)
  expect(few.err).toContain('More than 10 records were rejected, so the load was stopped.')
})

it('an export that is loaded gives the same type, in both formats', async () => {
  const type = await newType()
  const content = lines(500, (i) => ({
    id: i,
    ...(i % 3 > 0 && { text: ['', ' padded ', 'two\nlines', 'a "quote", a comma', 'ünïcödé 😀'][i % 5] }),
    ...(i % 7 > 0 && { amount: i / 7 }),
    ...(i % 2 > 0 && { names: [{ first: `n${i}`, weight: 0.1 }, { first: '' }] }),
  })).replace('"amount":0.14285714285714285', '"amount":-0.0')
  await fileWith('round.ndjson', content)
  expect((await served.run(['load', type, 'round.ndjson'])).code).toBe(0)
  const first = await exported(type)
  expect(first).toContain('"amount":-0.0')
  for (const format of ['ndjson', 'csv']) {
    const out = `round-again.${format}`
    const end = await served.run(['export', type, '--out', out])
    expect([end.code, end.out]).toEqual([0, `Exported 500 objects of ${type} at version 1.\n`])
    const copy = await newType()
    expect((await served.run(['load', copy, out])).code).toBe(0)
    expect(await exported(copy)).toBe(first)
  }
})

it('replacing takes all of a file or nothing', async () => {
  const type = await newType()
  await fileWith('before.ndjson', lines(100))
  await fileWith(
    'after.csv',
    `id,text\n${Array.from({ length: 50 }, (_, i) => `${i + 75},thing ${i + 75}\n`).join('')}`,
  )
  expect((await served.run(['replace', type, 'before.ndjson'])).out).toContain(
    '100 created, 0 updated, 0 deleted, 0 unchanged',
  )
  const partial = await served.run(['replace', type, 'after.csv', '--max-deletions', '75'])
  expect([partial.code, partial.err]).toEqual([2, expect.stringContaining('add --columns-are-whole')])
  const refused = await served.run(['replace', type, 'after.csv', '--columns-are-whole'])
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('would delete 75 of 100 objects of'),
  ])
  expect(refused.err).toContain('add --max-deletions 75')
  const end = await served.run(['replace', type, 'after.csv', '--columns-are-whole', '--max-deletions', '75'])
  expect(end.out).toContain('25 created, 0 updated, 75 deleted, 25 unchanged; version 2.')

  const before = await exported(type)
  await fileWith('wrong.csv', 'id,text\n\n1,"two\nlines"\n2,b\nthree,c\n')
  const wrong = await served.run(['replace', type, 'wrong.csv', '--columns-are-whole'])
  expect(wrong.code).toBe(1)
  expect(wrong.err).toContain('wrong.csv, line 6: id must be a JSON integer')
  expect(wrong.err).toContain('Nothing was replaced')
  await fileWith('broken.ndjson', '{"id":1}\n{"id":\n')
  const broken = await served.run(['replace', type, 'broken.ndjson'])
  expect(broken.err).toContain('broken.ndjson, line 2: the record must be JSON on one line')
  expect(await exported(type)).toBe(before)
})

it('merging sets what the file has, and keeps everything else', async () => {
  const type = await newType()
  await fileWith(
    'whole.ndjson',
    lines(3, (id) => ({ id, text: `thing ${id}`, amount: 1.5 })),
  )
  await served.run(['load', type, 'whole.ndjson'])
  await fileWith('part.csv', 'id,text\n0,new\n1,\n2,thing 2\n')
  const refused = await served.run(['load', type, 'part.csv'])
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('there are no columns amount, names')
  expect(refused.err).toContain('--merge')
  expect(refused.err).toContain('--columns-are-whole')
  const dry = await served.run(['load', type, 'part.csv', '--merge', '--dry-run'])
  expect(dry.out).toContain(
    '0 created, 2 updated, 0 deleted, 1 unchanged; 0 records rejected. Nothing was changed.',
  )
  expect(await commitsOf(type)).toHaveLength(1)
  expect((await served.run(['load', type, 'part.csv', '--merge'])).out).toContain(
    '0 created, 2 updated, 1 unchanged',
  )
  await fileWith('part.ndjson', '{"id":2,"amount":null}\n{"id":3,"text":"three"}\n')
  expect((await served.run(['load', type, 'part.ndjson', '--merge'])).code).toBe(0)
  expect(await exported(type)).toBe(
    '{"amount":1.5,"id":0,"text":"new"}\n{"amount":1.5,"id":1}\n{"id":2,"text":"thing 2"}\n{"id":3,"text":"three"}\n',
  )
  expect(await readdir(served.folder)).not.toContain('part.csv.octavo-load.json')
})

it('replacing asks before it deletes, and a dry run only counts', async () => {
  const type = await newType()
  await fileWith('hundred.ndjson', lines(100))
  await fileWith('ninety.ndjson', lines(90))
  await fileWith('one.ndjson', lines(1))
  await served.run(['replace', type, 'hundred.ndjson'])
  const dry = await served.run(['replace', type, 'ninety.ndjson', '--dry-run'])
  expect([dry.code, dry.out]).toEqual([
    0,
    expect.stringContaining('0 created, 0 updated, 10 deleted, 90 unchanged. Nothing was changed.'),
  ])
  const refused = await served.run(['replace', type, 'one.ndjson', '--dry-run'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('a replacement may delete 10')])
  const tooMany = await served.run(['replace', type, 'one.ndjson'], typing('y\n'))
  expect([tooMany.code, tooMany.err]).toEqual([1, expect.stringContaining('add --max-deletions 99')])
  const no = await served.run(['replace', type, 'ninety.ndjson'], typing('n\n'))
  expect([no.code, no.err]).toEqual([1, expect.stringContaining('This deletes 10 of 100 objects of')])
  expect(await commitsOf(type)).toHaveLength(1)
  expect((await served.run(['replace', type, 'ninety.ndjson'], typing('y\n'))).out).toContain('10 deleted')
  const yes = await served.run(
    ['replace', type, 'one.ndjson', '--yes', '--max-deletions', '100%'],
    typing('\n'),
  )
  expect(yes.out).toContain('89 deleted')
  expect((await served.run(['replace', type, 'one.ndjson', '--max-deletions', 'all'])).code).toBe(2)
})

it.each([
  ['csv', 'id,text,amount\n1,one,1\n2,"a\nb",wide\n3,three,3\n4,c,high\nx,d,low\n', ['--columns-are-whole']],
  ['csv', 'id;text;amount\r\n1;one;1\r\n2;"a;b";wide\r\n', ['--delimiter', ';', '--columns-are-whole']],
  ['ndjson', '{"id":1}\n{"id":2,"amount":"wide"}\n{"id":"x"}\n', []],
])('the rejected records of %s are corrected and loaded as they are', async (format, content, flags) => {
  const type = await newType()
  const name = `${type}.${format}`
  await fileWith(name, content)
  const end = await served.run(['load', type, name, ...flags])
  expect(end.code).toBe(3)
  const file = `${name}.rejected.${format}`
  expect(end.err).toContain(`the reasons in ${file}.reasons.ndjson.\nCorrect the records and load them:`)
  const command = end.err.split('\n  octavo ').at(-1) ?? ''
  const rejected = await readFile(join(served.folder, file), 'utf8')
  const corrected = rejected
    .replaceAll(/"?(wide|high|low)"?/g, '7')
    .replace(/^x/m, '9')
    .replace('"x"', '9')
  await fileWith(file, corrected)
  const again = await served.run(command.trim().replaceAll("'", '').split(' '))
  expect([again.code, again.err]).toEqual([0, ''])
  const keys = (await exported(type))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id)
  expect(keys).toEqual(format === 'ndjson' ? [1, 2, 9] : content.includes(';') ? [1, 2] : [1, 2, 3, 4, 9])
})

it('a load that was refused as a whole leaves no state, and the next one is a new one', async () => {
  const type = await newType()
  await fileWith('refused.ndjson', lines(20))
  const left = async () =>
    (await readdir(served.folder)).filter((name) => name.startsWith('refused.ndjson.o'))
  const words = ['load', type, 'refused.ndjson']
  const refusing = meddling(() =>
    Response.json(
      {
        errorCode: 'PERMISSION_DENIED',
        errorName: 'ApiUsageDenied',
        errorInstanceId: 'c1b8c4f6-2a53-4a2e-9d61-4d3f3f3f3f3f',
        parameters: {},
        errorDescription: 'You may not.',
      },
      { status: 403 },
    ),
  )
  const refused = await served.run(words, { fetch: refusing })
  expect(refused).toMatchObject({ code: 1, err: 'You may not. (ApiUsageDenied)\n' })
  expect(await left()).toEqual([])
  await fileWith(
    'refused.ndjson',
    lines(20, (id) => ({ id, text: id })),
  )
  expect((await served.run([...words, '--max-rejected', '5'])).err).not.toContain('--resume')
  expect(await left()).toEqual([])
  await fileWith('refused.ndjson', lines(20))
  expect((await served.run(words)).code).toBe(0)
})

it('rejected records of an earlier load are kept, and --restart discards only those of the same load', async () => {
  const type = await newType()
  const bad = (text: number) => lines(3, (id) => ({ id, text }))
  const load = (...flags: readonly string[]) => served.run(['load', type, 'kept.ndjson', ...flags])
  await fileWith('kept.ndjson', bad(1))
  expect((await load()).code).toBe(3)
  await fileWith('kept.ndjson', bad(2))
  const again = await load()
  expect(again).toMatchObject({
    code: 3,
    err: expect.stringContaining('kept.ndjson.rejected-2.ndjson, the reasons'),
  })
  expect(again.err).toContain(`octavo load ${type} kept.ndjson.rejected-2.ndjson\n`)
  const contents = async (name: string) => readFile(join(served.folder, name), 'utf8')
  expect(await contents('kept.ndjson.rejected.ndjson')).toBe(bad(1))
  expect(await contents('kept.ndjson.rejected-2.ndjson')).toBe(bad(2))
  expect((await stat(join(served.folder, 'kept.ndjson.rejected.ndjson'))).mode & 0o777).toBe(0o600)

  await fileWith('named.ndjson', 'precious')
  const named = await load('--rejected', 'named.ndjson')
  expect(named).toMatchObject({ code: 2, err: expect.stringContaining('is there already') })
  expect(await contents('named.ndjson')).toBe('precious')

  await fileWith(
    'kept.ndjson',
    lines(200, (id) => ({ id, text: id % 2 > 0 ? 'good' : id })),
  )
  const stop = new AbortController()
  const words = ['load', type, 'kept.ndjson', '--batch-bytes', '4000', '--rejected', 'other.ndjson']
  const stopping = meddling((batches) => {
    if (batches === 3) stop.abort()
    return undefined
  })
  expect((await served.run(words, { fetch: stopping, stopAsked: stop.signal })).code).toBe(130)
  expect(await contents('other.ndjson')).not.toBe('')
  const restarted = await served.run([...words, '--restart'])
  expect(restarted).toMatchObject({ code: 3, out: expect.stringContaining('100 rejected') })
  expect((await contents('other.ndjson')).trim().split('\n')).toHaveLength(100)
})

it('the file of rejected records is tried before anything is sent', async () => {
  const type = await newType()
  await fileWith('early.ndjson', lines(5))
  const never: typeof fetch = (url, init) =>
    init?.method === 'POST' ? Promise.reject(new Error('sent')) : fetch(url, init)
  const end = await served.run(['load', type, 'early.ndjson', '--rejected', 'nodir/r.ndjson'], {
    fetch: never,
  })
  expect(end).toMatchObject({ code: 2, err: 'There is no folder nodir: create it, or name another one.\n' })
  const two = await served.run(['load', type, 'early.ndjson', 'first.ndjson', '--rejected', 'r.ndjson'])
  expect(two).toMatchObject({ code: 2, err: expect.stringContaining('--rejected works only with one file') })
})
