import type { OptionType } from './option-type.ts'

export type PageTokenKey = {
  /** Every page token begins with the id of the key that sealed it, so that after a rotation the right key is known. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The first key seals; all of them open. */
export const pageTokenKeys: OptionType<readonly [PageTokenKey, ...PageTokenKey[]]> = {
  takes:
    'a comma-separated list of id:key, each key 32 random bytes as base64url (43 characters), each id used once',
  parse: (text) => {
    const [first, ...rest] = text.split(',').map(parseKey)
    if (first === undefined || !rest.every((key) => key !== undefined)) return undefined
    const ids = new Set([first, ...rest].map(({ id }) => id))
    return ids.size === rest.length + 1 ? [first, ...rest] : undefined
  },
}

const parseKey = (text: string): PageTokenKey | undefined => {
  const [, id, encoded] = /^([A-Za-z0-9]{1,16}):([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (id === undefined || encoded === undefined) return undefined
  const bytes = Buffer.from(encoded, 'base64url')
  // 43 characters hold two bits too many; a key that does not survive the round trip was mistyped.
  return bytes.toString('base64url') === encoded ? { id, bytes } : undefined
}
