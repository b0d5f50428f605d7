// `npm run prove:workspace`: a new contributor can start it. The long form runs all of CI in a fresh clone; the short form runs one claim there.

import { join } from 'node:path'
import { prove } from './prove.ts'
import { showFreshClone } from './prove-workspace/fresh-clone-works.ts'
import { insideClone } from './prove-workspace/inside-clone.ts'

const root = join(import.meta.dirname, '..')

await prove('workspace', async (proof) => {
  if (insideClone()) proof.say('This is already the fresh clone of a longer run: it is not cloned again.')
  else {
    await proof.point('A fresh clone passes its checks, serves pages, and cleans up after itself', () =>
      showFreshClone(root, proof),
    )
  }
})
