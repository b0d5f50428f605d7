import type { BrokenServer } from './broken-server.ts'
import { brokenChanges } from './changes.ts'
import { brokenStates } from './states.ts'
import { brokenSnapshots } from './snapshots.ts'
import { brokenPartitionsAndStreams } from './partitions-and-streams.ts'
import { brokenLinksAndAggregates } from './links-and-aggregates.ts'
import { brokenOrderAndTotals } from './order-and-totals.ts'
import { brokenPageTokensAndSizes } from './page-tokens-and-sizes.ts'
import { brokenRequestsAndHeaders } from './requests-and-headers.ts'
import { v2Traps } from './v2-traps.ts'

export const brokenServers: readonly BrokenServer[] = [
  ...brokenChanges,
  ...brokenStates,
  ...brokenSnapshots,
  ...brokenPartitionsAndStreams,
  ...brokenLinksAndAggregates,
  ...brokenOrderAndTotals,
  ...brokenPageTokensAndSizes,
  ...brokenRequestsAndHeaders,
  ...v2Traps,
]
