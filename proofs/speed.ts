// The cost of a page, compared with PostgreSQL alone and with what a team would use instead. The short form shows what does not depend on
// the machine and is not a test anyway: bodies, and blocks that do not grow.
import { inLongForm, whenNamed, within, type Points } from './harness/prove.ts'
import { compareCommits } from './speed/compare-commits.ts'
import { proveFlat } from './speed/flat/prove-flat.ts'
import { proveHotObjects } from './speed/flat/prove-hot-objects.ts'
import { proveMany } from './speed/flat/prove-many.ts'
import { proveFootprint } from './speed/footprint/prove-footprint.ts'
import { proveBuffers } from './speed/guard/prove-buffers.ts'
import { proveOneStatement } from './speed/guard/prove-one-statement.ts'
import { proveLatency } from './speed/latency/prove-latency.ts'
import { proveRates } from './speed/rates/prove-rates.ts'
import { withSpeed } from './speed/with-speed.ts'

export const points: Points = {
  ...within(withSpeed, {
    'one-statement': inLongForm((proof, { data }) => proveOneStatement(proof, data)),
    buffers: inLongForm((proof, { data }) => proveBuffers(proof, data)),
    rates: async ({ short }, run) => {
      const services = await run.services()
      run.found.rates = await proveRates(run, services)
      const [first] = services
      if (first === undefined || short || run.found.rates.length === 0) return
      run.found.latencies = await proveLatency(run, first, run.found.rates)
    },
    flat: async (_proof, run) => {
      run.found.flat = await proveFlat(run)
    },
    many: async (_proof, run) => {
      const types = await proveMany(run, 'types')
      run.found.many = { types, ontologies: await proveMany(run, 'ontologies') }
    },
    'hot-objects': inLongForm(async (proof, { found }) => {
      found.hot = await proveHotObjects(proof)
    }),
    footprint: inLongForm(async (_proof, run) => {
      run.found.footprint = await proveFootprint(run)
    }),
  }),
  compare: whenNamed(compareCommits),
}

export const options = {
  objects: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  out: { type: 'string' },
  'without-peers': { type: 'boolean' },
  /** Of compare. */
  commit: { type: 'string' },
  connections: { type: 'string' },
  /** Of compare: only kinds of pages whose description contains this text. */
  only: { type: 'string' },
  /** Of compare: connections to PostgreSQL, in this checkout and in the other commit, if they need different numbers. */
  'pool-size': { type: 'string' },
  'other-pool-size': { type: 'string' },
} as const
