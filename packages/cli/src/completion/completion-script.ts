import type { Command } from 'commander'
import {
  completeNames,
  completionNodes,
  steps,
  type Candidate,
  type CompletionNode,
} from './completion-tree.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A script that the shell sources once. It contains all commands and options, and asks `octavo` only for names. */
export function completionScript(program: Command, shell: Shell): string {
  const nodes = completionNodes(program)
  switch (shell) {
    case 'bash':
      return bashScript(nodes)
    case 'zsh':
      return zshScript(nodes)
    case 'fish':
      return fishScript(nodes)
    default:
      return shell satisfies never
  }
}

const wordsOf = ({ commands, options }: CompletionNode): string =>
  [...commands, ...options].map(({ word }) => word).join(' ')

/** The first word after the command that is neither an option nor the value of one: the object type, where there is one. */
const isArgument = (previous: string, word: string): string => `[[ ${word} != -* && ${previous} != -* ]]`

const bashScript = (
  nodes: readonly CompletionNode[],
): string => `# octavo in bash: source <(octavo completion bash)
_octavo_names() {
  # Names are asked for once in ten seconds.
  if [[ "$*" != "\${_octavo_asked-}" || $SECONDS -ge \${_octavo_until-0} ]]; then
    _octavo_known=$(command octavo ${completeNames} "$@" 2>/dev/null)
    _octavo_asked=$* _octavo_until=$((SECONDS + 10))
  fi
  words+=" $_octavo_known"
}
_octavo() {
  local at= before word words= argument= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]} before=$at
    case "$at:$word" in
${steps(nodes)
  .map(({ from, word, to }) => `      '${from}:${word}') at='${to}' ;;`)
  .join('\n')}
    esac
    if [[ $at == "$before" && -z $argument ]] && ${isArgument('"${COMP_WORDS[i - 1]}"', '"$word"')}; then argument=$word; fi
  done
  case "$at:\${COMP_WORDS[COMP_CWORD - 1]}" in
${nodes
  .flatMap(({ path, choices, namesAfter }) => [
    ...choices.map(({ option, values }) => `    '${path}:${option}') words='${values.join(' ')}' ;;`),
    ...namesAfter.map(({ option, kind }) => `    '${path}:${option}') _octavo_names ${kind} "$argument" ;;`),
  ])
  .join('\n')}
  esac
  if [[ -z $words ]]; then
    case "$at" in
${nodes.map((node) => `      '${node.path}') words='${wordsOf(node)}' ;;`).join('\n')}
    esac
    if [[ -z $argument && "\${COMP_WORDS[COMP_CWORD]}" != -* ]]; then
      case "$at" in
${argumentsOf(nodes)
  .map(({ path, argument }) => `        '${path}') _octavo_names ${argument} ;;`)
  .join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _octavo octavo
`

const argumentsOf = (nodes: readonly CompletionNode[]) =>
  nodes.flatMap(({ path, argument }) => (argument === undefined ? [] : [{ path, argument }]))

/** In single quotes. Colons are escaped, because a colon would end the word of _describe. */
const described = ({ word, meaning }: Candidate): string =>
  `'${word}:${meaning.replaceAll("'", "'\\''").replaceAll(':', '\\:')}'`

const zshScript = (nodes: readonly CompletionNode[]): string => `#compdef octavo
# octavo in zsh: octavo completion zsh > a file _octavo in a folder of $fpath
_octavo_names() {
  # Names are asked for once in ten seconds.
  if [[ "$*" != "$_octavo_asked" || $SECONDS -ge \${_octavo_until:-0} ]]; then
    typeset -g _octavo_known="$(command octavo ${completeNames} "$@" 2>/dev/null)"
    typeset -g _octavo_asked="$*" _octavo_until=$((SECONDS + 10))
  fi
  compadd -- \${(f)_octavo_known}
}
_octavo() {
  local at= before= argument= i
  local -a candidates
  for ((i = 2; i < CURRENT; i++)); do
    before=$at
    case "$at:\${words[i]}" in
${steps(nodes)
  .map(({ from, word, to }) => `      '${from}:${word}') at='${to}' ;;`)
  .join('\n')}
    esac
    if [[ $at == "$before" && -z $argument ]] && ${isArgument('"${words[i-1]}"', '"${words[i]}"')}; then argument=\${words[i]}; fi
  done
  case "$at:\${words[CURRENT-1]}" in
${nodes
  .flatMap(({ path, choices, namesAfter }) => [
    ...choices.map(
      ({ option, values }) => `    '${path}:${option}') compadd -- ${values.join(' ')}; return ;;`,
    ),
    ...namesAfter.map(
      ({ option, kind }) => `    '${path}:${option}') _octavo_names ${kind} "$argument"; return ;;`,
    ),
  ])
  .join('\n')}
  esac
  case "$at" in
${nodes
  .map(
    (node) =>
      `    '${node.path}') candidates=(\n${[...node.commands, ...node.options].map((each) => `      ${described(each)}`).join('\n')}\n    ) ;;`,
  )
  .join('\n')}
  esac
  if [[ -z $argument && "\${words[CURRENT]}" != -* ]]; then
    case "$at" in
${argumentsOf(nodes)
  .map(({ path, argument }) => `      '${path}') _octavo_names ${argument} ;;`)
  .join('\n')}
    esac
  fi
  _describe 'octavo' candidates
  _files
}
if [[ \${funcstack[1]} == _octavo ]]; then _octavo "$@"; else compdef _octavo octavo; fi
`

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fishScript = (
  nodes: readonly CompletionNode[],
): string => `# octavo in fish: octavo completion fish | source
function __octavo_at
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at:$word"
${steps(nodes)
  .map(({ from, word, to }) => `      case '${from}:${word}'\n        set at '${to}'`)
  .join('\n')}
    end
  end
  test "$at" = "$argv[1]"
end
function __octavo_argument
  # The first word after the command that is neither an option nor the value of one.
  set -l words (commandline -opc)
  set -l skipped (math 1 + (count (string split -n ' ' "$argv[1]")))
  for i in (seq (math $skipped + 1) (count $words))
    if not string match -q -- '-*' $words[$i]; and not string match -q -- '-*' $words[(math $i - 1)]
      echo $words[$i]
      return 0
    end
  end
  return 1
end
${nodes
  .flatMap(({ path, commands, options, namesAfter, argument }) => [
    ...commands.map(
      ({ word, meaning }) =>
        `complete -c octavo -n "__octavo_at '${path}'" -a ${word} -d ${fishText(meaning)}`,
    ),
    ...options.map(({ word, meaning }) => {
      const kind = namesAfter.find(({ option }) => option === word)?.kind
      const names =
        kind === undefined
          ? ''
          : ` -x -a "(command octavo ${completeNames} ${kind} (__octavo_argument '${path}') 2>/dev/null)"`
      return `complete -c octavo -n "__octavo_at '${path}'" -l ${word.replace(/^-+/, '')}${names} -d ${fishText(meaning)}`
    }),
    ...(argument === undefined
      ? []
      : [
          `complete -c octavo -n "__octavo_at '${path}'; and not __octavo_argument '${path}' >/dev/null" -a "(command octavo ${completeNames} ${argument} 2>/dev/null)"`,
        ]),
  ])
  .join('\n')}
`
