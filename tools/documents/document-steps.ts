// What a document asks of its reader, in order: files to save and commands to type. An HTML comment directly above a block of
// commands says why no test runs it (`<!-- not run: ... -->`) or what else does (`<!-- run by PATH -->`).

export type Step =
  | { readonly kind: 'file'; readonly line: number; readonly name: string; readonly text: string }
  | {
      readonly kind: 'commands'
      readonly line: number
      readonly language: 'sh' | 'sql'
      readonly text: string
      /** What the document shows below them. */
      readonly shown: string | undefined
    }
  | { readonly kind: 'not run'; readonly line: number; readonly reason: string }
  | { readonly kind: 'run by'; readonly line: number; readonly file: string }
  /** Looks like commands, but does not say so. */
  | { readonly kind: 'unmarked'; readonly line: number }

interface Block {
  readonly line: number
  readonly language: string
  readonly text: string
  /** The paragraph above, which may be a comment. */
  readonly above: string
  /** Whether only an empty line is between this block and the one before. */
  readonly followsBlock: boolean
}

export const stepsOf = (markdown: string): readonly Step[] => {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((block, i) => stepOf(block, blocks[i + 1]))
}

const typedPrograms = /^(\$ |(octavo|npm|npx|node|curl|psql|git|docker|kubectl|systemctl|bash) )/m

function stepOf({ line, language, text, above }: Block, next: Block | undefined): readonly Step[] {
  if (['bash', 'console', 'shell'].includes(language)) return [{ kind: 'unmarked', line }]
  if (language === 'sh' || language === 'sql') {
    const [, reason] = /^<!-- not run: (.+) -->$/s.exec(above) ?? []
    if (reason !== undefined) return [{ kind: 'not run', line, reason: reason.replaceAll(/\s+/g, ' ') }]
    const [, file] = /^<!-- run by (\S+) -->$/.exec(above) ?? []
    if (file !== undefined) return [{ kind: 'run by', line, file }]
    const shown = next?.followsBlock === true && next.language === 'text' ? next.text : undefined
    return [{ kind: 'commands', line, language, text, shown }]
  }
  const [, name] = /Save this as `([^`]+)`/.exec(above) ?? []
  if (name !== undefined) return [{ kind: 'file', line, name, text }]
  return ['', 'text'].includes(language) && typedPrograms.test(text) ? [{ kind: 'unmarked', line }] : []
}

function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let previousEnd = -1
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, language] = /^( *)```(\w*)/.exec(lines[at] ?? '') ?? []
    if (indent === undefined || language === undefined) continue
    const end = lines.indexOf(`${indent}\`\`\``, at + 1)
    if (end === -1) throw new Error(`line ${at + 1}: a block without an end`)
    const paragraph =
      lines
        .slice(previousEnd + 1, at)
        .join('\n')
        .trim()
        .split('\n\n')
        .at(-1)
        ?.trim() ?? ''
    blocks.push({
      line: at + 1,
      language,
      text: lines
        .slice(at + 1, end)
        .map((each) => `${each.slice(indent.length)}\n`)
        .join(''),
      above: paragraph,
      followsBlock: paragraph === '' && previousEnd !== -1,
    })
    previousEnd = end
    at = end
  }
  return blocks
}
