import { heldKeys } from '../model-server/links-steps.ts'
import { idOf } from '../model-server/model-data.ts'
import type { BrokenServer } from './broken-server.ts'

export const linkTellsAHiddenTarget: BrokenServer = {
  name: 'link-tells-a-hidden-target',
  mistake:
    'reads pairs from the property that holds the keys, and does not look whether the caller may see their objects',
  clause: 'P323',
  also: ['P324', 'P328'],
  revision: '2.0',
  steps: () => ({
    pairsOf: ({ property, isHeldHere }, holder) =>
      [...new Set(heldKeys(holder, property))]
        .toSorted()
        .map((key) =>
          isHeldHere ? { source: idOf(holder), target: key } : { source: key, target: idOf(holder) },
        ),
  }),
}
