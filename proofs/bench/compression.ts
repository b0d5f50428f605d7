// What compression saves and costs. First the bytes of a page and the processor time of the service
// for it, then the time of a walk with the client over lines of several speeds; in turns, with and without.
import { join } from 'node:path'
import { createClient } from '@octavo/client'
import { aviationTypes } from '../../packages/cli/test/inside.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { runOctavo } from '../harness/octavo-command.ts'
import { withServedLoad } from '../harness/with-store.ts'
import { longQueue, startService, type ServiceProcess } from '../harness/service-process.ts'
import type { Proof } from '../harness/prove.ts'
import { writeFlights } from './write-flights.ts'
import { startSlowLine } from './slow-line.ts'
import { cpuSecondsOf } from '../harness/cpu-time.ts'

/** Of a round, for each coding. */
const pages = 100

/** In megabits per second. */
const lines = [10, 100, 1_000]
const codings = ['identity', 'gzip', 'br', 'zstd'] as const

export const measureCompression = ({ given, say }: Proof): Promise<void> =>
  withServedLoad(async ({ store, ontology, folder, databaseUrl }) => {
    const objects = Number(given['objects'] ?? 50_000)
    const file = join(folder, 'flights.ndjson')
    await writeFlights(file, objects)
    await store.applyObjectType(ontology, { ...aviationTypes.flight, links: {} })
    const service = await startService({ databaseUrl, environment: longQueue })
    try {
      await runOctavo(['load', 'flight', file], { url: service.url, folder })
      await measurePages(service, say, Number(given['rounds'] ?? 3))
      await measureWalks(service, say, objects)
    } finally {
      await service.stop()
    }
  })

async function measurePages({ url, pid }: ServiceProcess, say: Proof['say'], rounds: number): Promise<void> {
  const page = (coding: string) =>
    fetch(`${url}/api/proof/v1/objects/types/flight/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${testToken}`,
        'content-type': 'application/json',
        'accept-encoding': coding,
      },
      body: '{"query":{"type":"empty"},"pageSize":1000}',
    })
  for (let round = 0; round <= rounds; round += 1) {
    for (const coding of codings) {
      const [cpu, began] = [cpuSecondsOf([pid]), performance.now()]
      let bytes = 0
      for (let i = 0; i < pages; i += 1) {
        const response = await page(coding)
        if ((response.headers.get('content-encoding') ?? 'identity') !== coding) {
          throw new Error(`The page did not come in ${coding}.`)
        }
        bytes = Number(response.headers.get('content-length'))
        await response.arrayBuffer()
      }
      // The first round only warms up.
      if (round === 0) continue
      const each = (total: number): string => (total / pages).toFixed(2)
      say(
        `round ${round}: a page of 1,000 in ${coding}: ${bytes} bytes, ${each((cpuSecondsOf([pid]) - cpu) * 1_000)} ms of the service's processor time, ${each(performance.now() - began)} ms`,
      )
    }
  }
}

async function measureWalks({ url, pid }: ServiceProcess, say: Proof['say'], objects: number): Promise<void> {
  for (const megabits of lines) {
    for (const compression of ['none', 'zstd'] as const) {
      const line = await startSlowLine(url, megabits)
      const [cpu, own, began] = [cpuSecondsOf([pid]), cpuSecondsOf([process.pid]), performance.now()]
      let found = 0
      const client = createClient({ url: line.url, token: testToken, compression })
      for await (const page of client.family('proof').objects('flight').all({ snapshot: true }).pages()) {
        found += page.data.length
      }
      const seconds = (performance.now() - began) / 1_000
      if (found !== objects) throw new Error(`The walk found ${found} of ${objects} objects.`)
      say(
        `${megabits} Mbit/s, ${compression}: ${objects} objects in ${seconds.toFixed(1)} s, ${(line.bytes() / 1e6).toFixed(1)} MB; processor: service ${(cpuSecondsOf([pid]) - cpu).toFixed(1)} s, client and line ${(cpuSecondsOf([process.pid]) - own).toFixed(1)} s`,
      )
      await line.close()
    }
  }
}
