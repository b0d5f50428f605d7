// A few kilobytes that unpack to 200 MiB: they are refused, and are never in memory as a whole.
import { readFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Findings } from './findings.ts'
import { problemOf } from './judge.ts'
import type { Setting } from './setting.ts'

const unpackedMiB = 200
const of = (byte: string): Buffer => Buffer.alloc(unpackedMiB << 20, byte)

export async function sendBombs(
  { service, token, known, ask }: Setting,
  { count, problem }: Findings,
): Promise<void> {
  const managed = `/manage/v1/ontologies/${known.rid}/objectTypes/item`
  const loads = `/manage/v1/ontologies/${known.rid}/loads`
  const { loadId } = await ask<{ readonly loadId: string }>('POST', loads, { objectTypes: ['item'] })
  const lineEnds = gzipSync(of('\n'))
  const bombs = [
    { name: 'one line', coding: 'gzip', body: gzipSync(of('x')), path: `${managed}/batches` },
    { name: 'ends of lines', coding: 'gzip', body: lineEnds, path: `${managed}/batches` },
    { name: 'blanks', coding: 'zstd', body: zstdCompressSync(of(' ')), path: `${managed}/batches` },
    { name: 'packed twice', coding: 'gzip', body: gzipSync(lineEnds), path: `${managed}/batches` },
    {
      name: 'part of a load',
      coding: 'gzip',
      body: lineEnds,
      path: `${loads}/${loadId}/objectTypes/item/parts/1`,
      method: 'PUT',
    },
    { name: 'all objects', coding: 'gzip', body: lineEnds, path: `${managed}/objects`, method: 'PUT' },
    {
      name: 'a search',
      coding: 'gzip',
      body: gzipSync(of(' ')),
      path: '/api/one/v1/objects/types/item/search',
    },
  ]
  for (const { name, coding, body, path, method = 'POST' } of bombs) {
    const before = memoryMiB(service.pid)
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, memoryMiB(service.pid))), 10)
    const type = path.endsWith('/search') ? 'application/json' : 'application/x-ndjson'
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, 'content-encoding': coding },
      body: new Uint8Array(body),
    })
    const text = await response.text()
    clearInterval(watch)
    count('bombs')
    console.log(
      `bomb: ${name}: ${body.length} bytes, ${response.status}, ${before} MiB and at most ${peak} MiB`,
    )
    const wrong = problemOf({ route: path, method }, { status: response.status, text })
    if (wrong !== undefined || response.ok)
      problem(`bomb: ${name}: ${wrong ?? 'accepted'}`, text.slice(0, 400))
    if (peak - before > unpackedMiB) problem(`bomb: ${name}: takes memory`, `${before} MiB, then ${peak} MiB`)
  }
}

const memoryMiB = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) >> 10
