import type { Aggregate, AggregateGroup } from '@octavo/protocol'
import { limits } from '@octavo/protocol/vocabulary'
import { Type } from 'typebox'
import { answerBytes, bytesOf, envelopeBytes } from '../answer/answer-limit.ts'
import { fitItems } from '../answer/fit-items.ts'
import { spellings } from '../ask/spellings.ts'
import { totalText } from '../ask/total-text.ts'
import { allObjects, countMatches, isNone, takeSnapshot, typePath } from '../ask/object-state.ts'
import { ToolError } from '../ask/tool-error.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { tool } from './tool.ts'

const grouping = Type.Union([Type.String(), Type.Object({ type: Type.String(), field: Type.String() })])
const metric = Type.Object({ type: Type.String(), field: Type.Optional(Type.String()) })

export const countBy = tool({
  name: 'count_by',
  title: 'Count by property',
  description:
    'How many objects match, for each value of a property, most frequent first; exact and of one state. Also sums, averages, least and greatest values.',
  input: argumentsOf({
    apiFamily: is.apiFamily,
    objectType: is.objectType,
    groupBy: Type.Optional(
      Type.Array(grouping, {
        maxItems: limits.aggregate.groupings,
        description:
          'Properties to group by, such as ["status"]. Numbers: {"type":"fixedWidth","field":F,"fixedWidth":10}; times: {"type":"duration","field":F,"value":1,"unit":"MONTHS"}; {"type":"ranges","field":F,"ranges":[{"startValue":A,"endValue":B}]}. One group of all if left out.',
      }),
    ),
    metrics: Type.Optional(
      Type.Array(metric, {
        maxItems: limits.aggregate.metrics - 1,
        description:
          'More than the count: {"type":"sum"|"avg"|"min"|"max"|"exactDistinct","field":F}; with "direction":"asc"|"desc" groups come in its order.',
      }),
    ),
    query: Type.Optional(is.query),
    pageSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.aggregate.groups,
        description: `The most groups in one answer, from 1 to ${limits.aggregate.groups}; as many as fit if left out.`,
      }),
    ),
    snapshotToken: Type.Optional(is.snapshotToken),
    pageToken: Type.Optional(is.pageToken),
  }),
  call: async (octavo, { apiFamily, objectType, query = allObjects, ...given }, paging) => {
    const type = { apiFamily, objectType }
    const { groupBy = [], metrics = [], pageSize = limits.aggregate.groups } = given
    const position = paging.from
    if (position !== undefined && given.snapshotToken === undefined) {
      throw new ToolError('A pageToken goes with the snapshotToken beside it in "next". Send both.')
    }
    const snapshotToken = given.snapshotToken ?? (await takeSnapshot(octavo, type, query))
    const isOrdered = groupBy.length === 0 || metrics.some((each) => 'direction' in each)
    const { data, excludedItems, version } = await octavo.post<Aggregate>(`${typePath(type)}/aggregate`, {
      query,
      snapshotToken,
      aggregation: [{ type: 'count', ...(!isOrdered && { direction: 'DESC' }) }, ...metrics],
      groupBy: groupBy.map((each) =>
        typeof each === 'string'
          ? { type: 'exact', field: each, includeNullValues: true, maxGroupCount: limits.aggregate.groups }
          : each,
      ),
    })
    const total = position?.total ?? (await countMatches(octavo, type, { query, snapshotToken }))
    const seenBefore = position?.seen ?? 0
    const room = answerBytes - envelopeBytes - bytesOf(snapshotToken)
    const groups = fitItems(
      data.slice(seenBefore, seenBefore + pageSize).map((group) => shownGroup(group, room)),
      room,
    )
    const seen = seenBefore + groups.length
    const goesOn = seen < data.length
    return {
      note: noteOf({ seen, groups: data.length, excludedItems }),
      complete: !goesOn && excludedItems === undefined,
      ...(isNone(total) && (await spellings(octavo, type, { query, snapshotToken }))),
      objectsInAll: totalText(total),
      groupsInAll: excludedItems === undefined ? data.length : `more than ${data.length}`,
      ...(excludedItems !== undefined && { objectsInOtherGroups: excludedItems }),
      seen,
      inThisAnswer: groups.length,
      version,
      ...(goesOn
        ? { next: paging.next({ seen, total, pageToken: '' }, { snapshotToken }) }
        : { snapshotToken }),
      groups,
    }
  },
})

interface Progress {
  readonly seen: number
  readonly groups: number
  /** How many objects are in groups that no answer shows. */
  readonly excludedItems: number | undefined
}

function noteOf({ seen, groups, excludedItems }: Progress): string {
  if (seen < groups) {
    return `Not complete: ${groups - seen} groups follow. To continue, call count_by with the same arguments and those in "next".`
  }
  if (excludedItems === undefined) return 'Complete: these are all groups.'
  return `Not complete: ${excludedItems} objects are in other groups, which cannot be shown: there are too many. Narrow the query.`
}

function shownGroup({ group, metrics: [count, ...others] }: AggregateGroup, mostBytes: number): object {
  const numbers = {
    count: count?.value,
    ...(others.length > 0 && { metrics: Object.fromEntries(others.map(({ name, value }) => [name, value])) }),
  }
  const whole = { group, ...numbers }
  if (bytesOf(whole) <= mostBytes) return whole
  return {
    count: count?.value,
    tooLarge: { bytes: bytesOf(whole), advice: 'The values of this group are larger than an answer may be.' },
  }
}
