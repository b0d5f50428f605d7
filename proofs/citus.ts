// The service on a Citus cluster. Everything runs on one machine, so overheads are real and the gain of several machines cannot be seen.
import { hasCitus } from '@octavo/dev-database'
import { proveAddingNodes } from './citus/adding-nodes.ts'
import { proveManyOntologies } from './citus/many-ontologies.ts'
import { proveMovesUnderLoad } from './citus/moves-under-load.ts'
import { provePageRates } from './citus/page-rates.ts'
import { proveShardedType } from './citus/sharded-type.ts'
import { proveSuites } from './citus/suites.ts'
import { proveSurvivesOnCitus } from './citus/survives-kills.ts'
import { inLongForm, type Points } from './harness/prove.ts'

export const points: Points = {
  suites: proveSuites,
  faults: proveSurvivesOnCitus,
  moves: proveMovesUnderLoad,
  // Figures only: a short run of them shows nothing.
  rates: inLongForm(provePageRates),
  many: inLongForm(proveManyOntologies),
  adding: proveAddingNodes,
  sharded: inLongForm(proveShardedType),
}

export const missing = async (): Promise<string | undefined> =>
  (await hasCitus())
    ? undefined
    : 'Citus is not installed for this PostgreSQL. CONTRIBUTING.md says how to get it.'
