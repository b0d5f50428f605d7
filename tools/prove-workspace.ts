// `npm run prove:workspace`: a new contributor can start it, and is told what to set. The long form runs all of CI in a fresh clone;
// the short form runs one claim there.

import { join } from 'node:path'
import { prove } from './prove.ts'
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
  await proof.point('The service does not start with unusable options, and says what to set', () =>
    showRefusals(root, proof),
  )
})
