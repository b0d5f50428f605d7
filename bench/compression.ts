// `npm run bench:compression`: what compression saves and costs. First the bytes of a page and the processor time of the service
// for it, then the time of a walk with the client over lines of several speeds; in turns, with and without.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient } from '@octavo/client'
import { aviationTypes } from '../packages/cli/test/inside.ts'
import { testToken } from '../packages/service/test/support/test-access.ts'
import { runOctavo } from '../tools/prove-load/octavo-process.ts'
import { withServedLoad } from '../tools/prove-load/served-load.ts'
import { startMeasuredService, type MeasuredService } from '../tools/prove-pages/service-process.ts'
import { writeFlights } from './data/write-flights.ts'
import { startSlowLine } from './load/slow-line.ts'
import { cpuSecondsOf } from './measure/cpu-time.ts'

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    /** Pages of a round, for each coding. */
    pages: { type: 'string', default: '100' },
    /** In megabits per second. */
    lines: { type: 'string', default: '10,100,1000' },
  },
})
const objects = Number(values.objects)
const rounds = Number(values.rounds)
const codings = ['identity', 'gzip', 'br', 'zstd'] as const

await withServedLoad(async ({ store, ontology, folder, databaseUrl }) => {
  const file = join(folder, 'flights.ndjson')
  await writeFlights(file, objects)
  await store.applyObjectType(ontology, { ...aviationTypes.flight, links: {} })
  const service = await startMeasuredService(databaseUrl)
  try {
    await runOctavo(['load', 'flight', file], { url: service.url, folder })
    await measurePages(service)
    await measureWalks(service)
  } finally {
    await service.stop()
  }
})

async function measurePages({ url, pid }: MeasuredService): Promise<void> {
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
      for (let i = 0; i < Number(values.pages); i += 1) {
        const response = await page(coding)
        if ((response.headers.get('content-encoding') ?? 'identity') !== coding) {
          throw new Error(`The page did not come in ${coding}.`)
        }
        bytes = Number(response.headers.get('content-length'))
        await response.arrayBuffer()
      }
      // The first round only warms up.
      if (round === 0) continue
      const each = (total: number): string => (total / Number(values.pages)).toFixed(2)
      console.log(
        `round ${round}: a page of 1,000 in ${coding}: ${bytes} bytes, ${each((cpuSecondsOf([pid]) - cpu) * 1_000)} ms of the service's processor time, ${each(performance.now() - began)} ms`,
      )
    }
  }
}

async function measureWalks({ url, pid }: MeasuredService): Promise<void> {
  for (const megabits of values.lines.split(',').map(Number)) {
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
      console.log(
        `${megabits} Mbit/s, ${compression}: ${objects} objects in ${seconds.toFixed(1)} s, ${(line.bytes() / 1e6).toFixed(1)} MB; processor: service ${(cpuSecondsOf([pid]) - cpu).toFixed(1)} s, client and line ${(cpuSecondsOf([process.pid]) - own).toFixed(1)} s`,
      )
      await line.close()
    }
  }
}
