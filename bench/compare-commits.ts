// `npm run bench:compare -- COMMIT`: the processor time of a page, in this checkout and in another commit, alternating on
// one server. On a shared machine rates differ between rounds by more than most changes gain; processor time does not.
import { parseArgs } from 'node:util'
import { checkOutCommit } from '../tools/check-out-commit.ts'
import { octavo } from './contestants/octavo.ts'
import { allKinds, describeKind } from './contestants/page-kind.ts'
import { prepareData } from './data/prepare-data.ts'
import { measureMiddle } from './flat/prove-size.ts'
import { requireWrk } from './load/wrk.ts'
import { measureRates, type Rate } from './rates/measure-rates.ts'
import { startOctavo, twiceTheCores } from './services/octavo-process.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '4,16' },
    /** Only kinds of pages whose description contains this text. */
    only: { type: 'string', default: '' },
    /** Connections to PostgreSQL, in this checkout and in the other commit, if they need different numbers. */
    'pool-size': { type: 'string', default: String(twiceTheCores) },
    'other-pool-size': { type: 'string', default: String(twiceTheCores) },
  },
})
const [commit] = positionals
if (commit === undefined) throw new Error('Name the commit to compare with: npm run bench:compare -- COMMIT')

const kinds = allKinds.filter((kind) => describeKind(kind).includes(values.only))
await requireWrk()
const other = checkOutCommit(commit)
const data = await prepareData({
  objects: Number(values.objects),
  say: console.log,
  beforeChange: measureMiddle,
})
const services = []
try {
  const options = { databaseUrl: data.cluster.url, built: false }
  const there = await startOctavo({
    ...options,
    root: other.folder,
    poolSize: Number(values['other-pool-size']),
  })
  services.push(there)
  const here = await startOctavo({ ...options, poolSize: Number(values['pool-size']) })
  services.push(here)
  const cells = values.connections.split(',').flatMap((connections) =>
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
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUp: true,
    say: console.log,
  })
  console.log(`CPU seconds for a million objects: ${commit} > here (ratio)`)
  for (let i = 0; i < rates.length; i += 2) console.log(line(rates[i], rates[i + 1]))
} finally {
  for (const service of services) await service.stop()
  await data.end()
  other.remove()
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
