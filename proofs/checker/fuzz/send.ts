// Sends inputs over a few connections that stay open.
import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Input } from './inputs.ts'
import type { Answer } from './judge.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const answerMs = 60_000

export function send(url: string, { method, path, headers, body }: Omit<Input, 'route'>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // By itself, Node sends no length of the body of a DELETE, which then looks like the next request.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const asked = { agent, method, path, headers: { ...headers, ...length }, timeout: answerMs }
    const sent = request(url, asked, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (bytes: Buffer) => chunks.push(bytes))
      answer.on('error', reject)
      answer.on('end', () => {
        const text = unpacked(Buffer.concat(chunks), answer.headers['content-encoding'])
        resolve({ status: answer.statusCode ?? 0, text })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')))
    sent.on('error', reject)
    sent.end(body)
  })
}

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

/** What cannot be unpacked is left as it is, and has no shape that an answer has. The answer to HEAD has a coding and no body. */
function unpacked(bytes: Buffer, coding = ''): string {
  const unpack = codings[coding]
  if (unpack === undefined || bytes.length === 0) return bytes.toString()
  try {
    return unpack(bytes).toString()
  } catch {
    return bytes.toString()
  }
}
