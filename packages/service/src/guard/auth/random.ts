import { randomBytes, randomUUID } from 'node:crypto'

export const randomHex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString('hex')
    .slice(0, digits)

export const randomUuid = (): string => randomUUID()
