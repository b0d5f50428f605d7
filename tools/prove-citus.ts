// `npm run prove:citus`: the service on a Citus cluster. Everything runs on one machine, so overheads are real and the gain of
// several machines cannot be seen. `--only` runs one part.
import { hasCitus } from '@octavo/dev-database'
import { proveAddingNodes } from './prove-citus/adding-nodes.ts'
import { proveExactOnCitus } from './prove-citus/exact-under-moves.ts'
import { proveManyOntologies } from './prove-citus/many-ontologies.ts'
import { proveMovesUnderLoad } from './prove-citus/moves-under-load.ts'
import { provePageRates } from './prove-citus/page-rates.ts'
import { proveShardedType } from './prove-citus/sharded-type.ts'
import { proveSuites } from './prove-citus/suites.ts'
import { proveSurvivesOnCitus } from './prove-citus/survives-kills.ts'
import { prove } from './prove.ts'

const parts = {
  suites: proveSuites,
  exact: proveExactOnCitus,
  faults: proveSurvivesOnCitus,
  moves: proveMovesUnderLoad,
  rates: provePageRates,
  many: proveManyOntologies,
  adding: proveAddingNodes,
  sharded: proveShardedType,
}

/** Figures only: a short run of them shows nothing. */
const longOnly: ReadonlySet<string> = new Set(['rates', 'many', 'sharded'])

if (!(await hasCitus())) {
  console.log('NOT TRIED: Citus is not installed for this PostgreSQL. CONTRIBUTING.md says how to get it.')
  process.exit(0)
}

await prove(
  'citus',
  async (proof) => {
    const only = proof.given['only']
    if (only !== undefined && !(typeof only === 'string' && only in parts)) {
      throw new Error(`--only takes one of ${Object.keys(parts).join(', ')}.`)
    }
    for (const [name, part] of Object.entries(parts)) {
      const isChosen = only === undefined ? !proof.short || !longOnly.has(name) : only === name
      if (isChosen) await part(proof)
    }
  },
  { only: { type: 'string' } },
)
