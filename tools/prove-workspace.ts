// `npm run prove:workspace`: a new contributor can start it, is told when they break its rules, and finds their way. The
// long form runs all of CI in a fresh clone and breaks every rule; the short form runs the quick part of each.

import { join } from 'node:path'
import { prove } from './prove.ts'
import { showBoundaries } from './prove-workspace/boundaries-fail-by-name.ts'
import { showFreshClone } from './prove-workspace/fresh-clone-works.ts'
import { insideClone } from './prove-workspace/inside-clone.ts'
import { showRefusals } from './prove-workspace/service-refuses.ts'

const root = join(import.meta.dirname, '..')

await prove('workspace', async (proof) => {
  if (insideClone()) proof.say('This is already the fresh clone of a longer run: it is not cloned again.')
  else {
    await proof.point('A fresh clone passes its checks, serves pages, and cleans up after itself', () =>
      showFreshClone(root, proof),
    )
  }
  await proof.point('Breaking an architecture rule fails the check, which names the rule', () =>
    showBoundaries(root, proof),
  )
  await proof.point('The service does not start with unusable options, and says what to set', () =>
    showRefusals(root, proof),
  )
})
