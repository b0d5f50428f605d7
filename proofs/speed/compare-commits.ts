// The processor time of a page, in this checkout and in another commit, alternating on
// one server. On a shared machine rates differ between rounds by more than most changes gain; processor time does not.
import type { Proof } from '../harness/prove.ts'
import { checkOutCommit } from '../../tools/check-out-commit.ts'
import { octavo } from './contestants/octavo.ts'
import { allKinds, describeKind } from './contestants/page-kind.ts'
import { prepareData } from './data/prepare-data.ts'
import { measureMiddle } from './flat/prove-size.ts'
import { requireWrk } from './load/wrk.ts'
import { measureRates, type Rate } from './rates/measure-rates.ts'
import { startOctavo, twiceTheCores } from '../harness/start-octavo.ts'

export async function compareCommits({ given, say }: Proof): Promise<void> {
  const text = (name: string, otherwise: string): string =>
    typeof given[name] === 'string' ? given[name] : otherwise
  const commit = given['commit']
  if (typeof commit !== 'string') throw new RangeError('Name the commit to compare with: --commit HEAD~1')

  const kinds = allKinds.filter((kind) => describeKind(kind).includes(text('only', '')))
  await requireWrk()
  const other = checkOutCommit(commit)
  const data = await prepareData({
    objects: Number(text('objects', '200000')),
    say,
    beforeChange: measureMiddle,
  })
  const services = []
  try {
    const options = { databaseUrl: data.cluster.url, built: false }
    const there = await startOctavo({
      ...options,
      root: other.folder,
      poolSize: Number(text('other-pool-size', String(twiceTheCores))),
    })
    services.push(there)
    const here = await startOctavo({ ...options, poolSize: Number(text('pool-size', String(twiceTheCores))) })
    services.push(here)
    const cells = text('connections', '4,16')
      .split(',')
      .flatMap((connections) =>
        kinds.map((kind) => ({
          kind,
          connections: Number(connections),
          contestants: [
            { ...octavo(data, [there], kind), name: commit },
            { ...octavo(data, [here], kind), name: 'here' },
          ],
        })),
      )
    for (const { contestants } of cells) for (const { check } of contestants) await check()
    const rates = await measureRates(cells, {
      cluster: data.cluster,
      rounds: Number(text('rounds', '5')),
      seconds: Number(text('seconds', '3')),
      warmUp: true,
      say,
    })
    say(`CPU seconds for a million objects: ${commit} > here (ratio)`)
    for (let i = 0; i < rates.length; i += 2) say(line(rates[i], rates[i + 1]))
  } finally {
    for (const service of services) await service.stop()
    await data.end()
    other.remove()
  }
}

function line(before: Rate | undefined, after: Rate | undefined): string {
  if (before === undefined || after === undefined) return ''
  const change = (name: string, of: (rate: Rate) => number): string =>
    `${name} ${of(before).toFixed(2)} > ${of(after).toFixed(2)} (${(of(after) / of(before)).toFixed(2)})`
  return [
    `${describeKind(before.kind)}, ${before.connections} connections:`,
    change('service', (rate) => rate.serviceCpuSeconds),
    change('PostgreSQL', (rate) => rate.databaseCpuSeconds),
    change('both', (rate) => rate.serviceCpuSeconds + rate.databaseCpuSeconds),
    `pages/s ${(after.pagesPerSecond / before.pagesPerSecond).toFixed(2)}`,
  ].join('  ')
}
