import type { BrokenServer } from './broken-server.ts'
import { linkTellsAHiddenTarget } from './link-tells-a-hidden-target.ts'
import { linkedIsNotNull } from './linked-is-not-null.ts'
import { linkedObjectsTwice } from './linked-objects-twice.ts'
import { linkInTwoStates } from './link-in-two-states.ts'
import { linkStateNotNamed } from './link-state-not-named.ts'
import { pairsInTheOrderOfTargets } from './pairs-in-the-order-of-targets.ts'
import { pairsCutInsideAnObject } from './pairs-cut-inside-an-object.ts'
import { aggregateCutSilently } from './aggregate-cut-silently.ts'
import { aggregateOfTheLatestState } from './aggregate-of-the-latest-state.ts'
import { minAndMaxOfHiddenObjects } from './min-and-max-of-hidden-objects.ts'
import { nullGroupLost } from './null-group-lost.ts'
import { groupsLeftOutSilently } from './groups-left-out-silently.ts'
import { sumOfDoubles } from './sum-of-doubles.ts'
import { noAggregates } from './no-aggregates.ts'
import { bodyOfAGetIgnored } from './body-of-a-get-ignored.ts'
import { ontologyByRidAlone } from './ontology-by-rid-alone.ts'
import { preconditionIgnored } from './precondition-ignored.ts'
import { badTokenFailsInside } from './bad-token-fails-inside.ts'
import { badTokenStartsAgain } from './bad-token-starts-again.ts'
import { changesAnswerChangesShape } from './changes-answer-changes-shape.ts'
import { changesByTime } from './changes-by-time.ts'
import { changesEndMoves } from './changes-end-moves.ts'
import { changesExpiredAsABadRequest } from './changes-expired-as-a-bad-request.ts'
import { changesForgetDeletes } from './changes-forget-deletes.ts'
import { changesNameWhatWasNeverSeen } from './changes-name-what-was-never-seen.ts'
import { changesOneByOne } from './changes-one-by-one.ts'
import { changesStateOfTheAnswer } from './changes-state-of-the-answer.ts'
import { changesStateOnEveryPage } from './changes-state-on-every-page.ts'
import { changesToIsIgnored } from './changes-to-is-ignored.ts'
import { changesTotalsOfTheLatestState } from './changes-totals-of-the-latest-state.ts'
import { changesWaitIsIgnored } from './changes-wait-is-ignored.ts'
import { changesWaitToTheEnd } from './changes-wait-to-the-end.ts'
import { noChanges } from './no-changes.ts'
import { checksumIsACount } from './checksum-is-a-count.ts'
import { checksumOfTheLatestState } from './checksum-of-the-latest-state.ts'
import { checksumWithoutKeys } from './checksum-without-keys.ts'
import { countOfTheLatestState } from './count-of-the-latest-state.ts'
import { compressedCopyOfAnotherPage } from './compressed-copy-of-another-page.ts'
import { compressedWithoutVary } from './compressed-without-vary.ts'
import { dictionaryOrder } from './dictionary-order.ts'
import { earlierStateIgnored } from './earlier-state-ignored.ts'
import { emptyPageWithToken } from './empty-page-with-token.ts'
import { emptyStringToken } from './empty-string-token.ts'
import { expiredTokenAccepted } from './expired-token-accepted.ts'
import { largePageSizeRefused } from './large-page-size-refused.ts'
import { lastPartitionHasAnEnd } from './last-partition-has-an-end.ts'
import { limitLooksLikeTheEnd } from './limit-looks-like-the-end.ts'
import { limitOffByOne } from './limit-off-by-one.ts'
import { morePartitionsThanAsked } from './more-partitions-than-asked.ts'
import { noSnapshotTokens } from './no-snapshot-tokens.ts'
import { nullToken } from './null-token.ts'
import { nullsFirst } from './nulls-first.ts'
import { nullsLost } from './nulls-lost.ts'
import { offsetPaging } from './offset-paging.ts'
import { orderNotTotal } from './order-not-total.ts'
import { otherCallersToken } from './other-callers-token.ts'
import { pageNumbers } from './page-numbers.ts'
import { pagePastTheLimit } from './page-past-the-limit.ts'
import { pageSizeBound } from './page-size-bound.ts'
import { pageSizeWithoutMaximum } from './page-size-without-maximum.ts'
import { pageSizeZeroAccepted } from './page-size-zero-accepted.ts'
import { pageTokenAsSnapshotToken } from './page-token-as-snapshot-token.ts'
import { partitionNotBoundToQuery } from './partition-not-bound-to-query.ts'
import { partitionOfOneCaller } from './partition-of-one-caller.ts'
import { partitionOfTheLatestState } from './partition-of-the-latest-state.ts'
import { partitionRunsOn } from './partition-runs-on.ts'
import { partitionsByFirstLetter } from './partitions-by-first-letter.ts'
import { partitionsLeaveAGap } from './partitions-leave-a-gap.ts'
import { partitionsOverlap } from './partitions-overlap.ts'
import { searchWithALimit } from './search-with-a-limit.ts'
import { shortPageIsTheEnd } from './short-page-is-the-end.ts'
import { silentCap } from './silent-cap.ts'
import { snapshotByTimestamp } from './snapshot-by-timestamp.ts'
import { snapshotIgnored } from './snapshot-ignored.ts'
import { snapshotTokenDrifts } from './snapshot-token-drifts.ts'
import { snapshotTokenIgnored } from './snapshot-token-ignored.ts'
import { snapshotTokenLags } from './snapshot-token-lags.ts'
import { snapshotTokenMissing } from './snapshot-token-missing.ts'
import { snapshotTokenNotBound } from './snapshot-token-not-bound.ts'
import { snapshotTokenOfOneCaller } from './snapshot-token-of-one-caller.ts'
import { snapshotTokenOnEveryPage } from './snapshot-token-on-every-page.ts'
import { snapshotTokensComparedByText } from './snapshot-tokens-compared-by-text.ts'
import { partitionsOfTheLatestState } from './partitions-of-the-latest-state.ts'
import { staleReplica } from './stale-replica.ts'
import { streamCountsLines } from './stream-counts-lines.ts'
import { streamTokenOneLate } from './stream-token-one-late.ts'
import { streamWithoutItsEnd } from './stream-without-its-end.ts'
import { tiesSkipped } from './ties-skipped.ts'
import { tokenNotBoundToQuery } from './token-not-bound-to-query.ts'
import { tokenNotUrlSafe } from './token-not-url-safe.ts'
import { tokenOnFullLastPage } from './token-on-full-last-page.ts'
import { tokenUsedOnce } from './token-used-once.ts'
import { tornBatch } from './torn-batch.ts'
import { totalOfTheLatestState } from './total-of-the-latest-state.ts'
import { totalsOnPagesOfAPartition } from './totals-on-pages-of-a-partition.ts'
import { v2Traps } from './v2-traps.ts'
import { versionsForgetDeletes } from './versions-forget-deletes.ts'
import { unauthenticatedSecondPage } from './unauthenticated-second-page.ts'
import { versionOfTheFirstPage } from './version-of-the-first-page.ts'

export const brokenServers: readonly BrokenServer[] = [
  badTokenFailsInside,
  badTokenStartsAgain,
  changesAnswerChangesShape,
  changesByTime,
  changesEndMoves,
  changesExpiredAsABadRequest,
  changesForgetDeletes,
  changesNameWhatWasNeverSeen,
  changesOneByOne,
  changesStateOfTheAnswer,
  changesStateOnEveryPage,
  changesToIsIgnored,
  changesTotalsOfTheLatestState,
  changesWaitIsIgnored,
  changesWaitToTheEnd,
  noChanges,
  checksumIsACount,
  checksumOfTheLatestState,
  checksumWithoutKeys,
  countOfTheLatestState,
  compressedCopyOfAnotherPage,
  compressedWithoutVary,
  dictionaryOrder,
  earlierStateIgnored,
  emptyPageWithToken,
  emptyStringToken,
  expiredTokenAccepted,
  largePageSizeRefused,
  lastPartitionHasAnEnd,
  limitLooksLikeTheEnd,
  limitOffByOne,
  morePartitionsThanAsked,
  noSnapshotTokens,
  nullToken,
  nullsFirst,
  nullsLost,
  offsetPaging,
  orderNotTotal,
  otherCallersToken,
  pageNumbers,
  pagePastTheLimit,
  pageSizeBound,
  pageSizeWithoutMaximum,
  pageSizeZeroAccepted,
  pageTokenAsSnapshotToken,
  partitionNotBoundToQuery,
  partitionOfOneCaller,
  partitionOfTheLatestState,
  partitionRunsOn,
  partitionsByFirstLetter,
  partitionsLeaveAGap,
  versionOfTheFirstPage,
  partitionsOverlap,
  searchWithALimit,
  shortPageIsTheEnd,
  silentCap,
  snapshotByTimestamp,
  snapshotIgnored,
  snapshotTokenDrifts,
  snapshotTokenIgnored,
  snapshotTokenLags,
  snapshotTokenMissing,
  snapshotTokenNotBound,
  snapshotTokenOfOneCaller,
  snapshotTokenOnEveryPage,
  snapshotTokensComparedByText,
  partitionsOfTheLatestState,
  staleReplica,
  streamCountsLines,
  streamTokenOneLate,
  streamWithoutItsEnd,
  tiesSkipped,
  tokenNotBoundToQuery,
  tokenNotUrlSafe,
  tokenOnFullLastPage,
  tokenUsedOnce,
  tornBatch,
  totalOfTheLatestState,
  totalsOnPagesOfAPartition,
  unauthenticatedSecondPage,
  versionsForgetDeletes,
  linkTellsAHiddenTarget,
  linkedIsNotNull,
  linkedObjectsTwice,
  linkInTwoStates,
  linkStateNotNamed,
  pairsInTheOrderOfTargets,
  pairsCutInsideAnObject,
  aggregateCutSilently,
  aggregateOfTheLatestState,
  minAndMaxOfHiddenObjects,
  nullGroupLost,
  groupsLeftOutSilently,
  sumOfDoubles,
  noAggregates,
  bodyOfAGetIgnored,
  preconditionIgnored,
  ontologyByRidAlone,
  ...v2Traps,
]
