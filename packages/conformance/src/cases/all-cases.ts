import type { Case } from './case.ts'
import { accessCases } from './access.ts'
import { aggregateGroupCases } from './aggregate-groups.ts'
import { aggregateCases } from './aggregates.ts'
import { aggregatesOfAll } from './aggregates-of-all.ts'
import { aggregatesUnderChange } from './aggregates-under-change.ts'
import { answerHeaderCases } from './answer-headers.ts'
import { changesCases } from './changes.ts'
import { changesOfAQuery } from './changes-of-a-query.ts'
import { changesTotals } from './changes-totals.ts'
import { changesUnderChange } from './changes-under-change.ts'
import { checksumCases } from './checksums.ts'
import { countCases } from './counts.ts'
import { compressionCases } from './compression.ts'
import { concurrentWrites } from './concurrent-writes.ts'
import { envelopeCases } from './envelope.ts'
import { errorCases } from './errors.ts'
import { historyUnderChange } from './history-under-change.ts'
import { linkCases } from './links.ts'
import { linksUnderChange } from './links-under-change.ts'
import { modeCases } from './modes.ts'
import { orderCases } from './order.ts'
import { pageSizeCases } from './page-size.ts'
import { pageTokenCases } from './page-tokens.ts'
import { requestIdentityCases } from './request-identity.ts'
import { partitionTokenCases } from './partition-tokens.ts'
import { partitionCases } from './partitions.ts'
import { partitionsUnderChange } from './partitions-under-change.ts'
import { revision1FilterCases } from './revision-1-filters.ts'
import { revision1LinkCases } from './revision-1-links.ts'
import { revision1LimitCases } from './revision-1-limit.ts'
import { revision1Cases } from './revision-1.ts'
import { revision2Cases } from './revision-2.ts'
import { revisionV2Cases } from './revision-v2.ts'
import { revisionV2SetCases } from './revision-v2-sets.ts'
import { snapshotTokenWalkCases } from './snapshot-token-walks.ts'
import { snapshotTokenCases } from './snapshot-tokens.ts'
import { snapshotTokensUnderChange } from './snapshot-tokens-under-change.ts'
import { streamCases } from './streams.ts'
import { subscriptionCases } from './subscriptions.ts'
import { valueCases } from './values.ts'
import { walksUnderChange } from './walks-under-change.ts'

export const allCases: readonly Case[] = [
  ...envelopeCases,
  ...answerHeaderCases,
  ...compressionCases,
  ...pageTokenCases,
  ...pageSizeCases,
  ...requestIdentityCases,
  ...modeCases,
  ...walksUnderChange,
  ...snapshotTokenCases,
  ...snapshotTokenWalkCases,
  ...countCases,
  ...checksumCases,
  ...streamCases,
  ...snapshotTokensUnderChange,
  ...historyUnderChange,
  ...partitionCases,
  ...partitionTokenCases,
  ...partitionsUnderChange,
  ...concurrentWrites,
  ...changesUnderChange,
  ...changesTotals,
  ...changesOfAQuery,
  ...changesCases,
  ...orderCases,
  ...valueCases,
  ...revision1Cases,
  ...revision1FilterCases,
  ...revision1LimitCases,
  ...revision2Cases,
  ...linkCases,
  ...revision1LinkCases,
  ...linksUnderChange,
  ...aggregateCases,
  ...aggregatesOfAll,
  ...aggregateGroupCases,
  ...aggregatesUnderChange,
  ...revisionV2Cases,
  ...revisionV2SetCases,
  ...subscriptionCases,
  ...errorCases,
  ...accessCases,
]
