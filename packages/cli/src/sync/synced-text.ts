import { amountText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { checksumText } from './copy-state.ts'
import type { SyncedType } from './sync-types.ts'

/** What was done to a copied type, as a line. */
export function syncedText(
  { state, puts, deletes, isLoaded, isProved }: SyncedType,
  { json }: { readonly json: boolean },
): string {
  const { version, objects, sum } = state
  const { apiName } = state.type
  if (json) {
    return jsonLine({
      objectType: apiName,
      version,
      objectCount: Number(objects),
      loaded: isLoaded,
      put: puts,
      deleted: deletes,
      checksum: checksumText(sum),
      checksumEqual: isProved,
    })
  }
  const done = isLoaded ? 'all of them read' : `${countText(puts)} put and ${countText(deletes)} deleted`
  const proof = isProved ? 'checksum equal' : 'the service gives you no checksum to compare'
  return `${apiName} is at version ${version}: ${amountText(String(objects), 'object')}, ${done}, ${proof}.\n`
}
