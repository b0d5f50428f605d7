// Pages that are valid in every way but one: an object of them is not as it was stored. The number of objects is adjusted, so that
// only their contents tell.
import type { Random } from '../harness/random.ts'

interface Found {
  readonly primaryKey: string
  readonly properties: Readonly<Record<string, unknown>>
}

interface WalkPage {
  readonly data: readonly Found[]
  readonly totalCount: string
  readonly checksum?: string
}

interface Fault {
  /** By how much the number of objects of the walk changes. */
  readonly more: -1 | 0 | 1
  /** The objects of the page with the fault, which may be none by chance. */
  readonly spoil: (data: readonly Found[], random: Random) => readonly Found[]
}

const faults = {
  'drop an object': {
    more: -1,
    spoil: (data, random) => data.toSpliced(random.below(data.length), 1),
  },
  'repeat an object': {
    more: 1,
    spoil: (data, random) => data.toSpliced(random.below(data.length), 0, oneOf(data, random)),
  },
  'replace an object by another': {
    more: 0,
    spoil: (data, random) => data.with(random.below(data.length), oneOf(data, random)),
  },
  'swap the properties of two objects': {
    more: 0,
    spoil: (data, random) => {
      const [a, b] = [random.below(data.length), random.below(data.length)]
      const propertiesAt = (i: number) => (data[i] as Found).properties
      return data
        .with(a, { ...(data[a] as Found), properties: propertiesAt(b) })
        .with(b, { ...(data[b] as Found), properties: propertiesAt(a) })
    },
  },
  'lose a property': {
    more: 0,
    spoil: (data, random) =>
      changeOne(data, random, (object) => {
        const entries = Object.entries(object.properties)
        return {
          ...object,
          properties: Object.fromEntries(entries.toSpliced(random.below(entries.length), 1)),
        }
      }),
  },
  'change a character of a text': { more: 0, spoil: (data, random) => changeByte(data, random, /[a-z]/) },
  'change a digit': { more: 0, spoil: (data, random) => changeByte(data, random, /[0-9]/) },
  'change any byte': { more: 0, spoil: (data, random) => changeByte(data, random, /./) },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as readonly FaultName[]

export interface Spoiling {
  readonly random: Random
  /** None leaves the pages as they are. */
  readonly fault: FaultName | undefined
  /** Which page of the walk has the fault, counted from 0. */
  readonly page: number
  /** Whether the last page keeps its checksum. */
  readonly keepsChecksum: boolean
}

/** A `fetch` for one walk through such pages. */
export function spoiltFetch({ random, fault, page, keepsChecksum }: Spoiling): typeof globalThis.fetch {
  let pages = 0
  return async (...request) => {
    const response = await fetch(...request)
    const { checksum, ...body } = (await response.json()) as WalkPage
    const { more, spoil } = faults[fault ?? 'drop an object']
    const data = fault !== undefined && pages === page ? untilDifferent(body.data, spoil, random) : body.data
    pages += 1
    const text = JSON.stringify({
      ...body,
      data,
      totalCount: String(Number(body.totalCount) + (fault === undefined ? 0 : more)),
      ...(keepsChecksum && { checksum }),
    })
    return new Response(text, { status: response.status, headers: response.headers })
  }
}

function untilDifferent(data: readonly Found[], spoil: Fault['spoil'], random: Random): readonly Found[] {
  const before = contentsOf(data)
  for (;;) {
    const spoilt = spoil(data, random)
    if (contentsOf(spoilt) !== before) return spoilt
  }
}

/** What a checksum is of, in any order of the objects. */
const contentsOf = (data: readonly Found[]): string =>
  data
    .map(({ primaryKey, properties }) => JSON.stringify({ primaryKey, properties }))
    .toSorted()
    .join('\n')

const oneOf = (data: readonly Found[], random: Random): Found => data[random.below(data.length)] as Found

function changeOne(
  data: readonly Found[],
  random: Random,
  change: (object: Found) => Found,
): readonly Found[] {
  const at = random.below(data.length)
  return data.with(at, change(data[at] as Found))
}

/** Replaces one byte by another of the same kind; the objects as they are if that is no JSON. */
function changeByte(data: readonly Found[], random: Random, kind: RegExp): readonly Found[] {
  const text = JSON.stringify(data)
  const at = random.below(text.length)
  const byte = String.fromCharCode(0x20 + random.below(0x5f))
  if (!kind.test(text[at] ?? '') || !kind.test(byte)) return data
  try {
    const spoilt = JSON.parse(text.slice(0, at) + byte + text.slice(at + 1)) as readonly Partial<Found>[]
    return spoilt.every(isFound) ? spoilt : data
  } catch {
    return data
  }
}

const isFound = (object: Partial<Found>): object is Found =>
  typeof object.primaryKey === 'string' && typeof object.properties === 'object'
