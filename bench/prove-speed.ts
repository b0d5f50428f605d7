// `npm run prove:speed`: the cost of a page, compared with PostgreSQL alone and with what a team would use instead. The
// short form shows what does not depend on the machine and is not a test anyway: bodies, and blocks that do not grow.
import { prepareData } from './data/prepare-data.ts'
import { prove } from '../tools/prove.ts'
import { proveHotObjects } from '../tools/prove-store/hot-objects.ts'
import { proveFootprint } from './footprint/prove-footprint.ts'
import { proveChurn } from './flat/prove-churn.ts'
import { proveReloads } from './flat/prove-reloads.ts'
import { proveDepth } from './flat/prove-depth.ts'
import { proveMany } from './flat/prove-many.ts'
import { measureMiddle, proveSize } from './flat/prove-size.ts'
import { proveBuffers } from './guard/prove-buffers.ts'
import { proveOneStatement } from './guard/prove-one-statement.ts'
import { proveLatency } from './latency/prove-latency.ts'
import { requireWrk } from './load/wrk.ts'
import { describeMachine } from './measure/machine.ts'
import { proveRates } from './rates/prove-rates.ts'
import { writeReport } from './report/write-report.ts'
import { optionTable, readSpeedOptions } from './speed-options.ts'
import { buildOctavo } from './services/build-octavo.ts'
import { startOctavo } from './services/octavo-process.ts'

await prove(
  'speed',
  async (proof) => {
    const options = readSpeedOptions(proof)
    await requireWrk()
    if (options.built) await buildOctavo(proof.say)
    const { objects } = options
    const data = await prepareData({ objects, say: proof.say, beforeChange: measureMiddle })
    const run = { proof, data, options }
    const services = []
    try {
      if (!proof.short) {
        await proveOneStatement(proof, data)
        await proveBuffers(proof, data)
      }
      if (options.only === 'flat') {
        await proveDepth(run)
        await proveSize(run, data.whole)
        return
      }
      for (let i = 0; i < options.processes; i += 1) {
        services.push(await startOctavo({ databaseUrl: data.cluster.url, built: options.built }))
      }
      const [first] = services
      if (first === undefined) throw new Error('No service was started.')
      const rates = await proveRates(run, services)
      if (options.only === 'rates') return
      const latencies = rates.length === 0 || proof.short ? [] : await proveLatency(run, first, rates)
      const depth = proof.short ? [] : await proveDepth(run)
      const size = await proveSize(run, data.whole)
      const churn = await proveChurn(run)
      const reloads = await proveReloads(run)
      const types = await proveMany(run, 'types')
      const ontologies = await proveMany(run, 'ontologies')
      if (proof.short || rates.length === 0) return
      const hot = await proveHotObjects(proof)
      const footprint = await proveFootprint(run)
      const machine = await describeMachine(data.store.database)
      await writeReport(options.out, {
        options,
        date: new Date(),
        machine,
        rates,
        latencies,
        flat: { depth, size, churn, reloads },
        hot,
        many: { types, ontologies },
        footprint,
      })
      proof.say(`written to ${options.out}`)
    } finally {
      for (const service of services) await service.stop()
      await data.end()
    }
  },
  optionTable,
)
