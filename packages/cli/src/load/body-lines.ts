// Maps a line of a body to its line of the file. It stores only where the difference between the two changes, so that memory
// depends on the number of blank lines and multi-line cells, not on the size of the file, even with a hundred million lines.

export interface BodyLines {
  /** Adds the next line of the body, with its line of the file. */
  readonly add: (fileLine: number) => void
  readonly fileLine: (bodyLine: number) => number
}

export function bodyLines(): BodyLines {
  const steps: { readonly bodyLine: number; readonly distance: number }[] = []
  let count = 0
  return {
    add: (fileLine) => {
      count += 1
      const distance = fileLine - count
      if (steps.at(-1)?.distance !== distance) steps.push({ bodyLine: count, distance })
    },
    fileLine: (bodyLine) => bodyLine + (steps.findLast((step) => step.bodyLine <= bodyLine)?.distance ?? 0),
  }
}
