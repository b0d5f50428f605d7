// A walk whose state is gone continues in the latest one, and reports the changes to the objects that it has returned (P246, P247).
import { changesSince, type ChangesOptions } from './changed-objects.ts'
import { Difference } from './changes/difference.ts'
import { invalidOption } from './options/check-options.ts'
import type { AnyObjectType } from './query/object-type-shape.ts'
import type { Transport } from './transport/transport.ts'
import { walkSettings, type WalkOptions } from './walk-options.ts'
import type { WalkSettings } from './walk/walk.ts'
import type { WalkRequest } from './walk/walk-request.ts'

interface ContinueOptions<Item> extends Pick<
  WalkOptions<AnyObjectType, string>,
  'signal' | 'readAhead' | 'onSnapshotGone' | 'onNotice'
> {
  readonly onContinue?: (difference: Difference<Item>) => void | Promise<void>
}

/** The settings of a walk of revision 2.0. */
export function searchSettings<Item>(
  transport: Transport,
  request: WalkRequest,
  options: ContinueOptions<Item>,
): WalkSettings {
  const { onSnapshotGone, onContinue, signal } = options
  const continues = onSnapshotGone === 'continue'
  if (continues !== (onContinue !== undefined)) {
    throw invalidOption(
      continues ? 'onContinue' : 'onSnapshotGone',
      "onSnapshotGone: 'continue' and onContinue belong together: onContinue gets what has become of the objects that were returned before.",
    )
  }
  if (onContinue === undefined) return walkSettings(options)
  if (!canContinue(request)) {
    throw invalidOption(
      'onSnapshotGone',
      "'continue' is for snapshot walks of all objects in the order of the key: leave out the query and `orderBy`, and set `snapshot: true`; or use 'restart'.",
    )
  }
  const target = { transport, path: request.path.replace(/\/search$/, ''), query: undefined }
  const { select, pageSize } = request.body as ChangesOptions<string>
  const asked = { ...(select && { select }), ...(pageSize && { pageSize }), ...(signal && { signal }) }
  const tellChanges: WalkSettings['tellChanges'] = async ({
    fromSnapshotToken,
    toSnapshotToken,
    changesPageToken,
  }) => {
    const pages = changesSince<Item>(
      target,
      fromSnapshotToken,
      { ...asked, toSnapshotToken },
      changesPageToken,
    )
    const difference = new Difference<Item>({ pages, signal })
    await onContinue(difference)
    // Throws if it was not read to its end.
    return difference.toVersion
  }
  return { ...walkSettings(options), tellChanges }
}

function canContinue(request: WalkRequest): request is Extract<WalkRequest, { readonly kind: 'search' }> {
  if (request.kind !== 'search' || !request.snapshot) return false
  const { query, orderBy } = request.body
  return orderBy === undefined && (query as { readonly type?: unknown }).type === 'empty'
}
