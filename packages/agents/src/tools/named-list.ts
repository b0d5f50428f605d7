import { answerBytes, bytesOf, envelopeBytes } from '../answer/answer-limit.ts'
import { fitItems } from '../answer/fit-items.ts'

interface Listed {
  readonly items: readonly object[]
  /** How far the list has been read, for the agent. */
  readonly progress: object
}

interface NamedList<Item> {
  readonly tool: string
  readonly items: readonly Item[]
  readonly nameOf: (item: Item) => string
  /** The last name of the answer before. */
  readonly after: string | undefined
}

/** For names and numbers beside the items, and for the name in `next`. */
const roomBytes = answerBytes - 3 * envelopeBytes

/** The next items of a list that is short enough to be read whole, in the order of their names. */
export function namedList<Item extends object>({ tool, items, nameOf, after }: NamedList<Item>): Listed {
  const sorted = items.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const rest = after === undefined ? sorted : sorted.filter((item) => nameOf(item) > after)
  const shown = fitItems(
    rest.map((item) => (bytesOf(item) <= roomBytes ? item : tooLarge(item, nameOf(item)))),
    roomBytes,
  )
  const left = rest.length - shown.length
  const last = rest[shown.length - 1]
  return {
    items: shown,
    progress: {
      note:
        left === 0
          ? 'Complete: these are all.'
          : `Not complete: ${left} follow. To continue, call ${tool} with the same arguments and those in "next".`,
      complete: left === 0,
      total: items.length,
      seen: items.length - left,
      inThisAnswer: shown.length,
      ...(left > 0 && last !== undefined && { next: { after: nameOf(last) } }),
    },
  }
}

const tooLarge = (item: object, name: string): object => ({
  name,
  tooLarge: {
    bytes: bytesOf(item),
    advice: 'Its texts are larger than an answer may be, so it is only named.',
  },
})
