import type { FoundObject } from '@octavo/protocol'
import { bytesOf } from './answer-limit.ts'

type Properties = FoundObject['properties']

export interface ShownObject {
  readonly primaryKey: string
  readonly title?: string
  readonly properties?: Properties
  readonly tooLarge?: TooLarge
}

interface TooLarge {
  readonly bytes: number
  readonly largestProperties: Readonly<Record<string, number>>
  readonly advice: string
}

const mostNamed = 5

/** An object without its type, which the agent has named; or what it should know of one that fits into no answer (P373). */
export function shownObject(
  { primaryKey, title, properties }: Omit<FoundObject, 'objectType'>,
  mostBytes: number,
): ShownObject {
  const whole = { primaryKey, ...(title !== undefined && { title }), properties }
  const bytes = bytesOf(whole)
  return bytes <= mostBytes ? whole : { primaryKey, tooLarge: tooLarge(properties, bytes, mostBytes) }
}

function tooLarge(properties: Properties, bytes: number, mostBytes: number): TooLarge {
  const sizes = Object.entries(properties).map(([name, value]) => [name, bytesOf(value)] as const)
  const largest = sizes.toSorted((a, b) => b[1] - a[1]).slice(0, mostNamed)
  const alone = largest.filter(([, size]) => size > mostBytes).map(([name]) => name)
  const hopeless = alone.length === 0 ? '' : ` No answer can hold ${alone.join(', ')}: leave it out.`
  return {
    bytes,
    largestProperties: Object.fromEntries(largest),
    advice: `This object is not shown: it is larger than an answer may be. Call get_object with its primaryKey and select the properties that you need.${hopeless}`,
  }
}
