// Which line of the file is the 17th line of a body? Only where the distance between the two changes is remembered, so
// that a file of a hundred million lines needs no more than one with as many blank lines or long cells.

export interface BodyLines {
  /** The next line of the body is of this line of the file. */
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
