import type { Change, ChangesPage, Snapshot } from '@octavo/protocol'
import { limits } from '@octavo/protocol/vocabulary'
import { Type } from 'typebox'
import { boundedPage } from '../answer/bounded-page.ts'
import { shownObject } from '../answer/shown-object.ts'
import { allObjects, takeSnapshot, typePath, type TypeName } from '../ask/object-state.ts'
import { requestPath, type Octavo } from '../ask/octavo.ts'
import { ToolError } from '../ask/tool-error.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { tool } from './tool.ts'

export const changesSince = tool({
  name: 'changes_since',
  title: 'Changes since a state',
  description:
    'What has changed in a type since a state: each changed object once, as it is now ("put"), or that it is gone ("delete"). When "complete" is true, "snapshotToken" is the "since" of next time.',
  input: argumentsOf({
    apiFamily: is.apiFamily,
    objectType: is.objectType,
    since: Type.String({
      maxLength: limits.snapshotToken.characters,
      description:
        'A snapshotToken of an earlier answer, or a time with its offset, such as 2026-05-01T09:30:00Z.',
    }),
    to: Type.Optional(
      Type.String({
        maxLength: limits.snapshotToken.characters,
        description: 'snapshotToken of the later state. The latest if left out.',
      }),
    ),
    query: Type.Optional(is.query),
    select: Type.Optional(is.select),
    pageSize: Type.Optional(is.pageSize),
    pageToken: Type.Optional(is.pageToken),
  }),
  call: async (octavo, { apiFamily, objectType, ...given }, paging) => {
    const type = { apiFamily, objectType }
    const position = paging.from
    if (position !== undefined && given.to === undefined) {
      throw new ToolError('A pageToken goes with what stands beside it in "next". Send all of it.')
    }
    const since = given.since.includes(':') ? await stateAt(octavo, type, given.since) : given.since
    const to = given.to ?? (await takeSnapshot(octavo, type, allObjects))
    const seenBefore = position?.seen ?? 0
    return boundedPage({
      pageSize: given.pageSize ?? limits.page.searchDefault,
      ask: (pageSize) =>
        octavo.post<ChangesPage>(`${typePath(type)}/changes`, {
          fromSnapshotToken: since,
          toSnapshotToken: to,
          pageSize,
          ...(given.query !== undefined && { query: given.query }),
          ...(given.select !== undefined && { select: given.select }),
          ...(position !== undefined && { pageToken: position.pageToken }),
        }),
      shown: shownChange,
      answer: async (changes, { nextPageToken, fromVersion, toVersion, snapshotToken, totalCount }) => {
        const seen = seenBefore + changes.length
        const complete = nextPageToken === undefined
        return {
          note: complete
            ? `Complete: ${seen} objects have changed.`
            : 'Not complete: how many objects have changed is known with the last answer. To continue, call changes_since with the same arguments and those in "next".',
          complete,
          seen,
          inThisAnswer: changes.length,
          fromVersion,
          toVersion,
          ...(complete && { total: seen, snapshotToken, objectsNow: totalCount }),
          ...(!complete && {
            next: paging.next(
              { seen, pageToken: nextPageToken },
              { ...(since !== given.since && { since }), to },
            ),
          }),
          changes,
        }
      },
    })
  },
})

async function stateAt(octavo: Octavo, { apiFamily, objectType }: TypeName, at: string): Promise<string> {
  const path = requestPath`/api/${apiFamily}/v1/snapshots`
  return (await octavo.post<Snapshot>(path, { objectTypes: [objectType], at })).snapshotToken
}

function shownChange(change: Change, mostBytes: number): object {
  if (change.type === 'delete') return change
  return { type: change.type, ...shownObject(change.object, mostBytes) }
}
