// What one caller gets that asks for one page at a time, before a flood and while it lasts.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { asking } from '../access/serve.ts'
import type { Flooded } from './types.ts'

export interface Served {
  readonly milliseconds: readonly number[]
  readonly refused: number
}

export interface Measured {
  readonly quiet: Served
  readonly flooded: Served
  /** The most memory of the service while the flood lasted, in MiB. */
  readonly memory: number
}

const secondsOfFlood = 4

export async function measureFlood(flooded: Flooded, name: string, factor: number): Promise<Measured> {
  const milliseconds = secondsOfFlood * factor * 1_000
  // Until its code is compiled.
  await onePageAtATime(flooded, milliseconds / 4)
  const quiet = await onePageAtATime(flooded, milliseconds / 2)
  forgetPeak(flooded)
  // Its own work must not slow down the other caller.
  const worker = new Worker(new URL('flood-process.ts', import.meta.url), { workerData: { flooded, name } })
  try {
    await once(worker, 'message')
    return { quiet, flooded: await onePageAtATime(flooded, milliseconds), memory: peak(flooded) }
  } finally {
    await worker.terminate()
  }
}

const pauseMs = 10
const longestMs = 60_000

async function onePageAtATime({ rid, tokens, ...served }: Flooded, forMs: number): Promise<Served> {
  const ask = asking(served, tokens.quiet)
  const milliseconds: number[] = []
  let refused = 0
  const endsAt = performance.now() + forMs
  while (performance.now() < endsAt) {
    const began = performance.now()
    const { status } = await Promise.race([
      ask({ method: 'GET', path: `/api/v1/ontologies/${rid}/objects/small?pageSize=10` }),
      sleep(longestMs, { status: 0 }, { ref: false }),
    ])
    milliseconds.push(performance.now() - began)
    if (status !== 200) refused += 1
    await sleep(pauseMs)
  }
  return { milliseconds, refused }
}

/** Resets the peak that the kernel reports (proc(5), clear_refs). */
const forgetPeak = ({ pid }: Flooded): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

function peak({ pid }: Flooded): number {
  const [, kib] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1_024)
}
