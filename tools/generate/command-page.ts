// docs/reference/command.md: the help of every command, as the program prints it, without what every one repeats.
import { helpTexts } from '@octavo/cli'

/** Its options have a page that says more. */
const withOptionsPage = 'serve'

export function commandPage(): string {
  const [root, ...commands] = helpTexts()
  const local = commands.filter(({ text }) => !text.includes(globalHeading)).map(({ name }) => `\`${name}\``)
  return [
    '# The octavo command',
    '',
    'What `octavo --help` and `--help` of each command print. In a clone of the repository, write `npm run --silent octavo --`',
    'instead of `octavo`. This page is generated: change the command and run `npm run generate`.',
    '',
    '```text',
    root?.text.trim() ?? '',
    '```',
    '',
    `Below, options of all commands are left out: every command has \`--help\`, and all but ${listed(local)}`,
    'take the other options above but `--version` as well.',
    '',
    ...commands.flatMap(({ name, text }) => [
      `## octavo ${name}`,
      '',
      ...(name === withOptionsPage ? ['All its options are on [a page of their own](options.md).', ''] : []),
      '```text',
      own(text, { withOptions: name !== withOptionsPage }),
      '```',
      '',
    ]),
  ].join('\n')
}

const globalHeading = 'Global Options:'

/** The help of a command without the options of all commands and without --help. */
function own(text: string, { withOptions }: { readonly withOptions: boolean }): string {
  const paragraphs = text
    .trim()
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith(globalHeading) && !paragraph.startsWith('Help:\n'))
    .map((paragraph) => paragraph.replace(/\n {2}-h, --help .*/, ''))
    .filter((paragraph) => paragraph !== 'Options:' && (withOptions || !paragraph.startsWith('Options:\n')))
  return paragraphs.join('\n\n')
}

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
