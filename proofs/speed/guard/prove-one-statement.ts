// What a page requests from the database, counted on the wire.
import { expect, type Proof } from '../../harness/prove.ts'
import { askJson } from '../../harness/ask-json.ts'
import { octavo } from '../contestants/octavo.ts'
import { allKinds, describeKind, type PageKind } from '../contestants/page-kind.ts'
import type { SpeedData } from '../data/prepare-data.ts'
import { startOctavo } from '../../harness/start-octavo.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { startCountingProxy, type CountingProxy } from './counting-proxy.ts'

export async function proveOneStatement(proof: Proof, data: SpeedData): Promise<void> {
  const pages = proof.short ? 30 : 100
  const proxy = await startCountingProxy(data.cluster.url)
  const service = await startOctavo({ databaseUrl: proxy.databaseUrl, built: false })
  try {
    await proof.point(
      'A page is one prepared statement in one round trip, and the database sends little besides it',
      async () => {
        const results = []
        for (const kind of allKinds) results.push(await countPages(data, { kind, service, proxy, pages }))
        const most = results.toSorted((a, b) => b.sentTimes - a.sentTimes)[0]
        expect(most !== undefined, 'nothing was counted')
        const others = results.reduce((sum, { others }) => sum + others, 0)
        return `${results.length} kinds of pages, ${pages} of each; at most ${most.sentTimes.toFixed(3)} bytes from the database for a byte of the body; ${others} statements beside, by the clock`
      },
    )
  } finally {
    await service.stop()
    await proxy.close()
  }
}

interface CountedPages {
  readonly kind: PageKind
  readonly service: ServerProcess
  readonly proxy: CountingProxy
  /** How many are read of a kind. */
  readonly pages: number
}

async function countPages(data: SpeedData, { kind, service, proxy, pages }: CountedPages) {
  const requests = await octavo(data, [service], kind).requests()
  const read = async (count: number) => {
    let bytes = 0
    for (let i = 0; i < count; i += 1) {
      const request = requests[i % requests.length]
      if (request !== undefined)
        bytes += Buffer.byteLength(JSON.stringify(await askJson(service.url, request)))
    }
    return bytes
  }
  // Sent one after another they use one connection, which then has the statement prepared.
  await read(5)
  proxy.take()
  const startedAt = performance.now()
  const bytes = await read(pages)
  const seconds = (performance.now() - startedAt) / 1000
  const traffic = proxy.take()
  const isPage = (text: string) => text.includes(data.type.tables.current)
  const ofPages = traffic.statements.filter(isPage).length
  const others = traffic.statements.length - ofPages
  const name = describeKind(kind)
  expect(ofPages === pages, `${name}: ${ofPages} statements for ${pages} pages`)
  // Access is looked up again several times a second, and the audit is written in batches: both depend on the time, not on
  // the number of pages.
  const byTheClock = 10 + 8 * seconds
  expect(
    others <= byTheClock,
    `${name}: ${others} statements beside ${pages} pages in ${seconds.toFixed(1)} s`,
  )
  expect(
    traffic.roundTrips <= traffic.statements.length,
    `${name}: ${traffic.roundTrips} round trips for ${traffic.statements.length} statements`,
  )
  expect(traffic.parsed <= others, `${name}: ${traffic.parsed} statements were parsed again`)
  const sentTimes = traffic.bytesFromDatabase / bytes
  // Each record is a message, and contains the keys of its position.
  expect(sentTimes < 1.1, `${name}: the database sent ${sentTimes.toFixed(3)} bytes for a byte of the body`)
  return { sentTimes, others }
}
