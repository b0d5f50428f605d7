import type { FoundObject, FoundObjectsPage } from '@octavo/protocol'
import { limits } from '@octavo/protocol/vocabulary'
import { Type } from 'typebox'
import { boundedPage } from '../answer/bounded-page.ts'
import { shownObject } from '../answer/shown-object.ts'
import { spellings } from '../ask/spellings.ts'
import { totalText } from '../ask/total-text.ts'
import { allObjects, countMatches, isNone, takeSnapshot, typePath, type Total } from '../ask/object-state.ts'
import type { Octavo } from '../ask/octavo.ts'
import { Refused, ToolError } from '../ask/tool-error.ts'
import { argumentsOf } from './arguments.ts'
import * as is from './arguments.ts'
import { tool } from './tool.ts'

export const searchObjects = tool({
  name: 'search_objects',
  title: 'Search objects',
  description:
    'Objects of a type that match a query, in pages of one state: nothing is missing or repeated while others write. Says how many match in all and, in "next", with which arguments to continue. Until "complete" is true you have not seen everything.',
  input: argumentsOf({
    apiFamily: is.apiFamily,
    objectType: is.objectType,
    query: Type.Optional(is.query),
    orderBy: Type.Optional(is.orderBy),
    select: Type.Optional(is.select),
    pageSize: Type.Optional(is.pageSize),
    snapshotToken: Type.Optional(is.snapshotToken),
    pageToken: Type.Optional(is.pageToken),
  }),
  call: async (octavo, { apiFamily, objectType, query = allObjects, ...given }, paging) => {
    const type = { apiFamily, objectType }
    const position = paging.from
    if (position !== undefined && given.snapshotToken === undefined) {
      throw new ToolError('A pageToken goes with the snapshotToken beside it in "next". Send both.')
    }
    const snapshotToken = given.snapshotToken ?? (await takeSnapshot(octavo, type, query))
    const seenBefore = position?.seen ?? 0
    let total = position?.total
    return boundedPage({
      pageSize: given.pageSize ?? limits.page.searchDefault,
      ask: async (pageSize) => {
        const page = await readPage(octavo, `${typePath(type)}/search`, {
          query,
          snapshotToken,
          pageSize,
          ...(given.orderBy !== undefined && { orderBy: { fields: given.orderBy } }),
          ...(given.select !== undefined && { select: given.select }),
          ...(position !== undefined && { pageToken: position.pageToken }),
        })
        const objects =
          page.nextPageToken === undefined ? String(seenBefore + page.data.length) : page.totalCount
        if (position === undefined && objects !== undefined) total ??= { objects, isBound: false }
        return page
      },
      shown: (object: FoundObject, mostBytes) => shownObject(object, mostBytes),
      answer: async (objects, { nextPageToken, version }) => {
        const seen = seenBefore + objects.length
        total ??= await countMatches(octavo, type, { query, snapshotToken })
        return {
          ...progress(seen, total, nextPageToken === undefined),
          ...(isNone(total) && (await spellings(octavo, type, { query, snapshotToken }))),
          inThisAnswer: objects.length,
          version,
          ...(nextPageToken === undefined
            ? { snapshotToken }
            : { next: paging.next({ seen, total, pageToken: nextPageToken }, { snapshotToken }) }),
          objects,
        }
      },
    })
  },
})

async function readPage(
  octavo: Octavo,
  path: string,
  request: object,
): Promise<Omit<FoundObjectsPage, 'version'> & { readonly version?: string }> {
  try {
    return await octavo.post<FoundObjectsPage>(path, request)
  } catch (error) {
    // A search that has found nothing in its time says where to continue (P101).
    const pageToken =
      error instanceof Refused && error.errorName === 'ScanTimedOut' && error.parameters['pageToken']
    if (typeof pageToken !== 'string') throw error
    return { data: [], nextPageToken: pageToken as NonNullable<FoundObjectsPage['nextPageToken']> }
  }
}

function progress(seen: number, total: Total, complete: boolean): object {
  if (!complete) {
    const left = total.isBound ? 'More' : String(Math.max(0, Number(total.objects) - seen))
    const note = `Not complete: ${left} objects follow. To continue, call search_objects with the same arguments and those in "next".`
    return { note, complete, total: totalText(total), seen }
  }
  // Each page is read under the caller's rights at that moment, so the number may have become larger or smaller (P147).
  const hasChanged = !total.isBound && total.objects !== String(seen)
  const note = hasChanged
    ? `Complete, but ${totalText(total)} objects were counted at first: what you may read has changed meanwhile.`
    : 'Complete: these are all objects that match.'
  return { note, complete, total: seen, seen }
}
