// A page token of a tool is that of Octavo, with what the agent is told again: how much of the walk it has seen, and of how much.
// Nothing of it is trusted: Octavo's own token is sealed, and the rest is only said back to whoever sends it.
import type { Total } from '../ask/object-state.ts'
import { ToolError } from '../ask/tool-error.ts'

export interface Place {
  /** Items in the answers before. */
  readonly seen: number
  /** Absent where it is not known before the end. */
  readonly total?: Total
  /** Octavo's own; empty where only the tool cuts its answers. */
  readonly pageToken: string
}

const pattern = /^(\d{1,15})\.(\d{0,19})(\+?)\.([\w-]{0,8192})$/

export const placeToken = ({ seen, total, pageToken }: Place): string =>
  `${seen}.${total?.objects ?? ''}${total?.isBound ? '+' : ''}.${pageToken}`

export function readPlace(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined
  const parts = pattern.exec(text)
  if (parts === null) {
    throw new ToolError(
      'This is no pageToken of this tool. Copy it whole from "next" of the last answer, or leave it out to begin again.',
    )
  }
  const [, seen = '', objects = '', bound, pageToken = ''] = parts
  return {
    seen: Number(seen),
    ...(objects !== '' && { total: { objects, isBound: bound === '+' } }),
    pageToken,
  }
}

/** As an agent reads it. */
export function totalText({ objects, isBound }: Total): number | string {
  if (isBound) return `at least ${objects}`
  const number = Number(objects)
  return Number.isSafeInteger(number) ? number : objects
}
