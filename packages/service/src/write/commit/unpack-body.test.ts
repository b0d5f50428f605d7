import { randomBytes } from 'node:crypto'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { unpackBody, type Compression } from './unpack-body.ts'

const pack = {
  gzip: (bytes: Buffer): Buffer => gzipSync(bytes),
  zstd: (bytes: Buffer): Buffer =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
}
const compressions: readonly Compression[] = ['gzip', 'zstd']

async function* cut(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

async function unpackAll(packed: AsyncIterable<Buffer>, compression: Compression): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of unpackBody(packed, compression)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const unpack = (packed: Buffer, compression: Compression, pieceBytes = 64 * 1024): Promise<Buffer> =>
  unpackAll(cut(packed, pieceBytes), compression)

const problemOf = async (packed: Buffer, compression: Compression, pieceBytes?: number) => {
  const error: unknown = await unpack(packed, compression, pieceBytes).catch((thrown: unknown) => thrown)
  if (!(error instanceof ServiceError)) throw new Error(`was not refused: ${String(error)}`)
  expect(error.errorName).toBe('InvalidCompressedBody')
  expect(error.parameters).toMatchObject({ contentEncoding: compression })
  return (error.parameters as { readonly problem: string }).problem
}

describe.each(compressions)('%s', (compression) => {
  const text = Buffer.from('{"type":"put"}\n'.repeat(400))
  const packed = pack[compression](text)
  const sizes = [1, 2, 7, packed.length - 1, packed.length, packed.length + 1, 64 * 1024]
  const damaged = `it is damaged, or it is not ${compression}`

  it('unpacks what was packed, wherever it is cut', async () => {
    const noise = Buffer.concat([randomBytes(300_000), Buffer.alloc(3_000_000, 'x'), randomBytes(10)])
    expect((await unpack(pack[compression](noise), compression)).equals(noise)).toBe(true)
    for (const size of sizes) expect((await unpack(packed, compression, size)).equals(text)).toBe(true)
  })

  it('unpacks an empty body, and one that unpacks to nothing, to nothing', async () => {
    expect(await unpack(Buffer.alloc(0), compression)).toHaveLength(0)
    expect(await unpack(pack[compression](Buffer.alloc(0)), compression)).toHaveLength(0)
  })

  it.each(sizes)('P215: unpacks every part, cut into pieces of %d', async (size) => {
    const parts = Buffer.concat([packed, pack[compression](Buffer.alloc(0)), packed, packed])
    const all = await unpack(parts, compression, size)
    expect(all.equals(Buffer.concat([text, text, text]))).toBe(true)
  })

  it.each(sizes)('P215: refuses what follows the end and is no further part, cut into %d', async (size) => {
    for (const rest of ['\n', 'hello world, this is text', '\0', '\0'.repeat(20)]) {
      const problem = await problemOf(Buffer.concat([packed, Buffer.from(rest)]), compression, size)
      // A single byte may be the beginning of a part.
      expect([damaged, 'it ended early']).toContain(problem)
    }
    expect([damaged, 'it ended early']).toContain(
      await problemOf(Buffer.concat([packed, Buffer.alloc(5), packed]), compression, size),
    )
  })

  it.each(sizes)('P215: refuses a body that ends early, cut into pieces of %d', async (size) => {
    for (const length of [1, 5, packed.length - 9, packed.length - 1]) {
      expect(await problemOf(packed.subarray(0, length), compression, size)).toBe('it ended early')
      const second = Buffer.concat([packed, packed.subarray(0, length)])
      expect(await problemOf(second, compression, size)).toBe('it ended early')
    }
  })

  it('P215: refuses a damaged body, and one that is not compressed', async () => {
    const changed = Buffer.from(pack[compression](randomBytes(1_000)))
    changed[500] = (changed[500] ?? 0) ^ 0xff
    expect(await problemOf(changed, compression)).toBe(damaged)
    expect(await problemOf(text, compression)).toBe(damaged)
  })

  it('passes the failure of the body on, as it is', async () => {
    const failure = new Error('the client is gone')
    async function* failing(): AsyncGenerator<Buffer> {
      yield packed.subarray(0, 20)
      throw failure
    }
    await expect(unpackAll(failing(), compression)).rejects.toBe(failure)
  })

  it('P214: unpacks no more than is asked for', async () => {
    const bomb = pack[compression](Buffer.alloc(64 * 1024 * 1024))
    let given = 0
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const piece of cut(bomb, 256)) {
        given += piece.length
        yield piece
      }
    }
    for await (const piece of unpackBody(counted(), compression)) {
      expect(piece.length).toBeLessThanOrEqual(64 * 1024)
      break
    }
    expect(bomb.length).toBeGreaterThan(1_536)
    expect(given).toBeLessThanOrEqual(768)
  })
})

it('P215: frames of zstd that are to be skipped are skipped', async () => {
  const skipped = Buffer.concat([Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0]), Buffer.from('abcd')])
  const body = Buffer.concat([skipped, pack.zstd(Buffer.from('a\n')), skipped, pack.zstd(Buffer.from('b\n'))])
  for (const size of [1, 12, 1_000]) expect(String(await unpack(body, 'zstd', size))).toBe('a\nb\n')
})

it('P214: a zstd body of a larger window is refused, and one of more frames', async () => {
  const noise = randomBytes(20 * 1024 * 1024)
  const window = (log: number) =>
    zstdCompressSync(noise, {
      params: { [constants.ZSTD_c_windowLog]: log, [constants.ZSTD_c_contentSizeFlag]: 0 },
    })
  expect((await unpack(window(23), 'zstd')).equals(noise)).toBe(true)
  expect(await problemOf(window(24), 'zstd')).toBe(
    'its window is larger than 8 MiB, so use level 19 or a lower one, without --long',
  )
  const frame = pack.zstd(Buffer.from('\n'))
  expect(await problemOf(Buffer.concat(Array<Buffer>(10_001).fill(frame)), 'zstd')).toBe(
    'it has more than 10000 frames',
  )
})
