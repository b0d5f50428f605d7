import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { refusalOf } from '../support/error-answer.ts'
import { many } from '../support/generated-cases.ts'
import { manageOverHttp, put, type BatchSending } from '../support/manage-over-http.ts'
import { itemTypes } from '../support/item-types.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { watchTurns } from '../support/watch-turns.ts'
import { errorNamed, errorWith } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const { newType, contentsOf } = itemTypes(() => service)

const idsOf = async (objectType: string) =>
  (await contentsOf(objectType)).map((properties) => (properties as { readonly id: string }).id)

const codings = ['gzip', 'zstd'] as const
const pack = { gzip: gzipSync, zstd: zstdCompressSync, identity: (bytes: Buffer | string) => bytes }
const ndjson = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

const send = (body: Buffer | string, contentEncoding: string, to: BatchSending) =>
  manage.send(body, { ...to, contentEncoding })

const receiptOf = async (answer: ReturnType<typeof send>): Promise<unknown> => JSON.parse((await answer).text)

describe.each(codings)('%s', (coding) => {
  it('P213: every endpoint that takes lines takes them compressed', async () => {
    const objectType = await newType()
    const one = pack[coding](ndjson([put({ id: 'a' }), put({ id: 'b' })]))
    expect(await receiptOf(send(one, coding.toUpperCase(), { objectType }))).toMatchObject({ created: 2 })
    const several = pack[coding](ndjson([put({ id: 'c' }, objectType)]))
    expect(await receiptOf(send(several, coding, {}))).toMatchObject({ created: 1 })
    const whole = pack[coding](ndjson([put({ id: 'a' }), put({ id: 'b' }), put({ id: 'd' })]))
    const replaced = await receiptOf(send(whole, coding, { objectType, kind: 'replace' }))
    expect(replaced).toMatchObject({ created: 1, deleted: 1, unchanged: 2 })
    expect(await idsOf(objectType)).toEqual(['a', 'b', 'd'])
  })

  it('P213: a body that unpacks to nothing is a missing one', async () => {
    const objectType = await newType()
    for (const text of ['', '\n\n']) {
      const answer = await send(pack[coding](text), coding, { objectType })
      expect(refusalOf(answer)).toMatchObject({ errorName: 'MissingPostBody' })
    }
  })

  it('P215: a body that ends early, or has bytes after its end, is refused, and nothing is applied', async () => {
    const objectType = await newType()
    // The second is more than the service keeps in memory, so that it is staged while it arrives.
    for (const count of [10, 12_000]) {
      const label = 'x'.repeat(900)
      const objects = Array.from({ length: count }, (_, i) => put({ id: `i${i}`, rank: i, label }))
      const packed = pack[coding](ndjson(objects))
      const early = await send(packed.subarray(0, -1), coding, { objectType, key: 'k' })
      expect(refusalOf(early)).toEqual(
        errorWith(400, 'InvalidCompressedBody', { contentEncoding: coding, problem: 'it ended early' }),
      )
      for (const rest of ['more', '\0\0\0\0\0\0\0\0']) {
        const longer = await send(Buffer.concat([packed, Buffer.from(rest)]), coding, { objectType })
        expect(refusalOf(longer)).toMatchObject({ status: 400, errorName: 'InvalidCompressedBody' })
      }
    }
    expect(await idsOf(objectType)).toEqual([])
    const staged = await service.store.database.rows({
      text: `select count(*) as rows from ${service.ontology.schema}.staged`,
      values: [],
    })
    expect(staged).toEqual([{ rows: '0' }])
  })

  it('P215: every member or frame is applied', async () => {
    const objectType = await newType()
    const parts = ['a', 'b', 'c'].map((id) => pack[coding](ndjson([put({ id })])))
    expect(await receiptOf(send(Buffer.concat(parts), coding, { objectType }))).toMatchObject({ created: 3 })
    expect(await idsOf(objectType)).toEqual(['a', 'b', 'c'])
  })

  it('P216: the same contents are the same batch, compressed or not', async () => {
    const objectType = await newType()
    const key = `load-${coding}`
    const lines = ndjson([put({ id: 'a' }), put({ id: 'b' })])
    const first = await receiptOf(send(pack[coding](lines), coding, { objectType, key }))
    expect(first).toMatchObject({ created: 2, replayed: false })
    for (const other of ['gzip', 'zstd', 'identity'] as const) {
      const again = await receiptOf(send(pack[other](lines), other, { objectType, key }))
      expect(again).toEqual({ ...(first as object), replayed: true })
    }
    const changed = await send(pack[coding](`${lines}\n`), coding, { objectType, key })
    expect(refusalOf(changed)).toMatchObject({ errorName: 'IdempotencyKeyConflict' })
  })

  it('P216: lines are counted where they are unpacked', async () => {
    const objectType = await newType()
    const lines = `${ndjson([put({ id: 'a' })])}\n\n${ndjson([put({ id: 'b', rank: 'high' })])}`
    expect(refusalOf(await send(pack[coding](lines), coding, { objectType }))).toMatchObject(
      errorNamed('InvalidBatch', { problems: [{ line: 4, property: 'rank' }] }),
    )
  })
})

const bombs = [
  ['gzip', 'lines of blanks', ' \t\r\n'],
  ['zstd', 'blank lines', '\n'],
] as const
// Each takes many seconds, because the limit is at 1 GiB: the other one is tried at night.
it.each(bombs.slice(0, many(1)))(
  'P214: %s that unpacks to too many %s is refused at the limit, in bounded memory, and holds nobody up',
  async (coding, _, text) => {
    const objectType = await newType()
    const bomb = Buffer.concat(Array<Buffer>(1_025).fill(pack[coding](Buffer.alloc(2 ** 20, text))))
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
    const turns = watchTurns()
    const answer = await send(bomb, coding, { objectType })
    const longestTurn = turns.end()
    clearInterval(watch)
    expect(refusalOf(answer)).toEqual(
      errorWith(413, 'RequestTooLarge', { limit: 'unpackedBodyBytes', maximum: limits.request.batchBytes }),
    )
    expect(answer.text).toContain('at most 1073741824 bytes long once unpacked')
    expect(most - before).toBeLessThan(200 * 2 ** 20)
    expect(longestTurn).toBeLessThan(20)
  },
  120_000,
)

it('P214: a line that unpacks to too much is refused as a line', async () => {
  const objectType = await newType()
  const packed = gzipSync(Buffer.alloc(limits.request.batchLineBytes + 1, ' '))
  expect(refusalOf(await send(packed, 'gzip', { objectType }))).toEqual(
    errorWith(413, 'RequestTooLarge', { limit: 'lineBytes', maximum: limits.request.batchLineBytes }),
  )
})

it('P213: no coding, and identity, are a body that is not compressed', async () => {
  const objectType = await newType()
  for (const [coding, id] of [
    ['identity', 'a'],
    ['Identity', 'b'],
    ['', 'c'],
  ] as const) {
    expect(await receiptOf(send(ndjson([put({ id })]), coding, { objectType }))).toMatchObject({ created: 1 })
  }
})

it.each(['br', 'deflate', 'gzip, gzip', 'gzip, identity', 'zstd,'])(
  'P213: the coding %s is refused, and the answer names those that are accepted',
  async (coding) => {
    const objectType = await newType()
    for (const to of [{ objectType }, {}, { objectType, kind: 'replace' }] as const) {
      const answer = await send(ndjson([put({ id: 'a' })]), coding, to)
      expect(refusalOf(answer)).toEqual(
        errorWith(415, 'UnsupportedContentEncoding', {
          contentEncoding: coding,
          acceptedEncodings: ['gzip', 'zstd', 'identity'],
        }),
      )
      expect(answer.headers.get('accept-encoding')).toBe('gzip, zstd, identity')
    }
    expect(await idsOf(objectType)).toEqual([])
  },
)

it('P214: a zstd body that needs a large window is refused, and the answer says what to do', async () => {
  const objectType = await newType()
  const params = { [constants.ZSTD_c_windowLog]: 24, [constants.ZSTD_c_contentSizeFlag]: 0 }
  const text = ndjson(Array.from({ length: 400_000 }, (_, i) => put({ id: `i${i * 7919}`, rank: i })))
  const answer = await send(zstdCompressSync(text, { params }), 'zstd', { objectType })
  expect(refusalOf(answer)).toMatchObject({ status: 400, errorName: 'InvalidCompressedBody' })
  expect(answer.text).toContain('window is larger than 8 MiB')
})
