import { setTimeout as sleep } from 'node:timers/promises'
import { octavo } from '../contestants/octavo.ts'
import { residentMegabytes } from '../../harness/cpu-time.ts'
import { median } from '../../harness/statistics.ts'
import { startOctavo } from '../../harness/start-octavo.ts'
import type { SpeedRun } from '../run.ts'

export interface Footprint {
  readonly readyMilliseconds: number
  readonly restMegabytes: number
  readonly busyMegabytes: number
}

const starts = 5
const connections = 64

/** Measures one process that has just started, at rest, and while 64 connections read pages of 1,000 as fast as they can. */
export async function proveFootprint({ proof, data, options }: SpeedRun): Promise<Footprint | undefined> {
  let footprint: Footprint | undefined
  await proof.point(
    `The service is ready quickly, and ${connections} connections need little memory`,
    async () => {
      const ready: number[] = []
      for (let i = 0; i < starts; i += 1) {
        const service = await startOctavo({ databaseUrl: data.cluster.url, built: options.built })
        ready.push(service.readyAfterMilliseconds)
        if (i === starts - 1) {
          // Memory used by the start is freed only when the garbage collector runs; a quiet second is rest enough.
          await sleep(1_000)
          const restMegabytes = residentMegabytes(service.pid)
          const pages = octavo(data, [service], { pageSize: 1_000, mode: 'latest', revision: '2.0' })
          let busyMegabytes = 0
          const watching = setInterval(() => {
            busyMegabytes = Math.max(busyMegabytes, residentMegabytes(service.pid))
          }, 50)
          try {
            await pages.load({ connections, seconds: Math.max(options.seconds, 2) })
          } finally {
            clearInterval(watching)
          }
          footprint = { readyMilliseconds: median(ready), restMegabytes, busyMegabytes }
        }
        await service.stop()
      }
      return `ready after ${footprint?.readyMilliseconds.toFixed(0)} ms, ${footprint?.restMegabytes.toFixed(0)} MB at rest, at most ${footprint?.busyMegabytes.toFixed(0)} MB under ${connections} connections`
    },
  )
  return footprint
}
