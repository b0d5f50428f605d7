import { randomUUID } from 'node:crypto'

/**
 * At most 30 digits. Node keeps a cache of random bytes for UUIDs, whose last digits are all random except for two bits of the
 * 16th.
 */
export const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(-digits)

export const randomUuid = (): string => randomUUID()
