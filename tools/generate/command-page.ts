// docs/reference/command.md: the help of every command, as the program prints it.
import { helpTexts } from '@octavo/cli'

export function commandPage(): string {
  const [root, ...commands] = helpTexts()
  return [
    '# The octavo command',
    '',
    'What `octavo --help` and `--help` of each command print. This page is generated: change the command and run',
    '`npm run generate`. In a clone of the repository, write `npm run --silent octavo --` instead of `octavo`.',
    '',
    ...sectionOf(root),
    ...commands.flatMap((command) => [`## octavo ${command.name}`, '', ...sectionOf(command)]),
  ].join('\n')
}

const sectionOf = (command: { readonly text: string } | undefined): readonly string[] => [
  '```text',
  (command?.text ?? '').trim(),
  '```',
  '',
]
