// An error repeats what the caller wrote and lists what could be meant. Its parameters are shortened here, in one place, until the
// whole error is short (P390).
import { describeError, limits, type ErrorName, type ErrorParameters } from '@octavo/protocol'

interface Most {
  readonly characters: number
  readonly items: number
  readonly levels: number
}

/** From the most that is kept to the least, which always fits. */
const steps: readonly Most[] = [
  { characters: 1_100, items: 100, levels: 4 },
  { characters: 400, items: 40, levels: 4 },
  { characters: 150, items: 15, levels: 3 },
  { characters: 50, items: 6, levels: 3 },
  { characters: 16, items: 2, levels: 3 },
]
/** Of names, code, id and punctuation. */
const frameBytes = 256
const mostBytes = limits.error.bytes - frameBytes
/** A token is of no use unless it is whole, and its length has a separate limit. */
const kept: ReadonlySet<string> = new Set(['pageToken', 'continueWith'])

export function shortParameters<Name extends ErrorName>(
  name: Name,
  parameters: ErrorParameters<Name>,
): ErrorParameters<Name> {
  let shorter = parameters
  for (const most of steps) {
    shorter = Object.fromEntries(
      Object.entries(parameters).map(([key, value]) => [
        key,
        kept.has(key) ? value : shortened(value, most, most.levels),
      ]),
    ) as ErrorParameters<Name>
    if (bytesOf(describeError(name, shorter)) + bytesOf(withoutKept(shorter)) <= mostBytes) break
  }
  return shorter
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const withoutKept = (parameters: object): object =>
  Object.fromEntries(Object.entries(parameters).filter(([key]) => !kept.has(key)))

function shortened(value: unknown, most: Most, levels: number): unknown {
  if (typeof value === 'string') return shortText(value, most)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return '…'
  if (Array.isArray(value)) {
    const first = value.slice(0, most.items).map((item) => shortened(item, most, levels - 1))
    const more = value.length - first.length
    return more > 0 && first.every((item) => typeof item === 'string')
      ? [...first, `… and ${more} more`]
      : first
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, most.items)
      .map(([key, item]) => [shortText(key, most), shortened(item, most, levels - 1)]),
  )
}

/** Half of a surrogate pair is no text. */
const shortText = (text: string, { characters }: Most): string =>
  text.length <= characters ? text : `${text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')}…`
