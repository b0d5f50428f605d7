import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'

const compressors = { zstd: zstdCompressSync, br: brotliCompressSync, gzip: gzipSync }
type Coding = keyof typeof compressors

export interface SentBody {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** Compresses as the header `Accept-Encoding` asks; `*` is not understood, which is allowed. */
export function compressed(body: string, acceptEncoding: string): SentBody {
  const weights = acceptEncoding.split(',').map((member) => {
    const [, name = '', weight = '1'] = /^\s*(\w+)(?:;q=([\d.]+))?\s*$/.exec(member) ?? []
    return { name, weight: Number(weight) }
  })
  const [best] = weights
    .filter(({ name, weight }) => weight > 0 && (name === 'identity' || name in compressors))
    .toSorted((a, b) => b.weight - a.weight)
  const headers = { vary: 'Accept-Encoding' }
  if (best === undefined || best.name === 'identity' || body.length < 1_024) return { headers, body }
  return {
    headers: { ...headers, 'content-encoding': best.name },
    body: compressors[best.name as Coding](body),
  }
}
