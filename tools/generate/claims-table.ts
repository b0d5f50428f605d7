import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claims } from '../check/claims.ts'
import { betweenMarks } from './between-marks.ts'

/** CONTRIBUTING.md with the table of the check's claims, from the claims themselves. */
export const contributingPage = (): string =>
  betweenMarks(
    readFileSync(join(import.meta.dirname, '../../CONTRIBUTING.md'), 'utf8'),
    'claims',
    [
      '| name | size | claim |',
      '| --- | --- | --- |',
      ...claims.map(({ name, size, claim }) => `| \`${name}\` | ${size} | ${claim} |`),
    ].join('\n'),
  )
