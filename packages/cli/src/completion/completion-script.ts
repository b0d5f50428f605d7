import type { Command } from 'commander'
import { completionPlaces, steps, type Candidate, type CompletionPlace } from './completion-tree.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A script that the shell sources once. It contains all completions: no program runs while the user types. */
export function completionScript(program: Command, shell: Shell): string {
  const places = completionPlaces(program)
  switch (shell) {
    case 'bash':
      return bashScript(places)
    case 'zsh':
      return zshScript(places)
    case 'fish':
      return fishScript(places)
    default:
      return shell satisfies never
  }
}

const wordsOf = ({ commands, options }: CompletionPlace): string =>
  [...commands, ...options].map(({ word }) => word).join(' ')

const bashScript = (
  places: readonly CompletionPlace[],
): string => `# octavo in bash: source <(octavo completion bash)
_octavo() {
  local at= word words= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$at:$word" in
${steps(places)
  .map(({ from, word, to }) => `      '${from}:${word}') at='${to}' ;;`)
  .join('\n')}
    esac
  done
  case "$at:\${COMP_WORDS[COMP_CWORD - 1]}" in
${places
  .flatMap(({ path, choices }) =>
    choices.map(({ option, values }) => `    '${path}:${option}') words='${values.join(' ')}' ;;`),
  )
  .join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$at" in
${places.map((place) => `      '${place.path}') words='${wordsOf(place)}' ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _octavo octavo
`

/** In single quotes. Colons are escaped, because a colon would end the word of _describe. */
const described = ({ word, meaning }: Candidate): string =>
  `'${word}:${meaning.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`

const zshScript = (places: readonly CompletionPlace[]): string => `#compdef octavo
# octavo in zsh: octavo completion zsh > a file _octavo in a folder of $fpath
_octavo() {
  local at= i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    case "$at:\${words[i]}" in
${steps(places)
  .map(({ from, word, to }) => `      '${from}:${word}') at='${to}' ;;`)
  .join('\n')}
    esac
  done
  case "$at" in
${places
  .map(
    (place) =>
      `    '${place.path}') candidates=(\n${[...place.commands, ...place.options].map((each) => `      ${described(each)}`).join('\n')}\n    ) ;;`,
  )
  .join('\n')}
  esac
  _describe 'octavo' candidates
  _files
}
if [[ \${funcstack[1]} == _octavo ]]; then _octavo "$@"; else compdef _octavo octavo; fi
`

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fishScript = (
  places: readonly CompletionPlace[],
): string => `# octavo in fish: octavo completion fish | source
function __octavo_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at:$word"
${steps(places)
  .map(({ from, word, to }) => `      case '${from}:${word}'\n        set at '${to}'`)
  .join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
${places
  .flatMap(({ path, commands, options }) => [
    ...commands.map(
      ({ word, meaning }) =>
        `complete -c octavo -n "__octavo_at '${path}'" -a ${word} -d ${fishText(meaning)}`,
    ),
    ...options.map(
      ({ word, meaning }) =>
        `complete -c octavo -n "__octavo_at '${path}'" -l ${word.replace(/^-+/, '')} -d ${fishText(meaning)}`,
    ),
  ])
  .join('\n')}
`
