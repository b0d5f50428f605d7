// What a person meets in a terminal is tested there. The short form leaves it to `npm test`, which the check runs as well.
import type { Proof } from '../harness/prove.ts'
import { showTests } from '../harness/show-tests.ts'

const points = [
  ['Every command of the README and the guides works as written', 'tools/documents/commands.pg.test.ts'],
  [
    'What a person does and gets wrong in a terminal is answered as it should be',
    'packages/cli/src/in-a-terminal.pg.test.ts',
  ],
  [
    'Tab completes commands, types, properties, ontologies and profiles in real shells',
    'packages/cli/src/completion/completion-in-shells.pg.test.ts',
  ],
  [
    'From a file of 100,000 rows without a definition to a filtered, sorted page in four commands',
    'packages/cli/src/commands/init-command.pg.test.ts',
  ],
  [
    'Nobody deletes more than the limit by accident',
    'packages/service/test/promises/a-replacement-does-not-delete-by-mistake.pg.test.ts',
  ],
] as const

export async function proveTests(proof: Proof): Promise<void> {
  if (proof.short) return
  for (const [sentence, file] of points) await proof.point(sentence, () => showTests(proof, file))
}
