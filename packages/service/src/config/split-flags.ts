export type FlagUse = {
  /** As written, such as --port. A stray word is put here too, and is then refused as an unknown flag. */
  readonly flag: string
  readonly value?: string
}

/** Reads both `--port 80` and `--port=80`. */
export const splitFlags = (argv: readonly string[]): readonly FlagUse[] => {
  const uses: FlagUse[] = []
  const words = [...argv]
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const equals = word.indexOf('=')
    const next = words[0]
    if (equals > 0) {
      uses.push({ flag: word.slice(0, equals), value: word.slice(equals + 1) })
    } else if (isFlag(word) && next !== undefined && !isFlag(next)) {
      uses.push({ flag: word, value: next })
      words.shift()
    } else {
      uses.push({ flag: word })
    }
  }
  return uses
}

const isFlag = (word: string): boolean => word.startsWith('--')
