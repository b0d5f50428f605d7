// The matrices are tests.
import type { Proof } from '../harness/prove.ts'
import { showTests } from '../harness/show-tests.ts'

const promises = 'packages/service/test/promises'

const points = [
  [
    'A real identity provider: each kind of token gets its right answer',
    'an-identity-provider-lets-its-callers-in',
  ],
  ['Every endpoint answers every kind of caller as it should', 'every-endpoint-for-every-caller'],
  [
    'What is not granted says and costs the same as what does not exist',
    'what-is-not-granted-does-not-exist',
  ],
] as const

export async function proveTests(proof: Proof): Promise<void> {
  for (const [sentence, file] of points) {
    await proof.point(sentence, () => showTests(proof, `${promises}/${file}.pg.test.ts`))
  }
}
