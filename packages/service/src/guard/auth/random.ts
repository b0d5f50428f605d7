import { randomUUID } from 'node:crypto'

/**
 * At most 32 digits, from the end of a UUID, for which Node caches random bytes. The last 15 digits are random, the 16th from the
 * end has two random bits, and the 20th from the end is always 4.
 */
export const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(-digits)

export const randomUuid = (): string => randomUUID()
