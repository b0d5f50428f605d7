// Which claims a check is about.
import { type Claim, type Size, sizes } from './claims.ts'

export interface Choice {
  readonly size: Size
  /** Names of claims or parts of names; then the size does not matter. */
  readonly only?: readonly string[] | undefined
  /** The paths of a change, or `unknown`: then those claims that it touches, beyond those that are checked for every change. */
  readonly changed?: readonly string[] | 'unknown' | undefined
}

export function chooseClaims(claims: readonly Claim[], { size, only, changed }: Choice): readonly Claim[] {
  if (only !== undefined) {
    // A whole name means that claim alone: `tests` is a part of `tests-long`.
    const named = (part: string) => {
      const whole = claims.filter(({ name }) => name === part)
      return whole.length > 0 ? whole : claims.filter(({ name }) => name.includes(part))
    }
    const wanted = new Set(only.flatMap(named))
    return claims.filter((claim) => wanted.has(claim))
  }
  const order = Object.keys(sizes)
  const isIncluded = (claim: Claim) => order.indexOf(claim.size) <= order.indexOf(size)
  return claims.filter((claim) =>
    changed === undefined ? isIncluded(claim) : claim.size === 'full' && isTouched(claim, changed),
  )
}

/** A change of these may break any claim. */
const everywhere = [
  '.ci/',
  '.github/',
  '.node-version',
  'package-lock.json',
  'package.json',
  'tools/check',
  'tools/prove.ts',
  'tsconfig',
  'vitest.config.ts',
]
/** These say on which packages, and of which versions, a package depends. */
const isManifest = (path: string) => path.endsWith('package.json')

const isTouched = ({ touchedBy = [] }: Claim, changed: readonly string[] | 'unknown'): boolean =>
  changed === 'unknown' ||
  changed.some(
    (path) =>
      isManifest(path) || [...everywhere, ...touchedBy].some((beginning) => path.startsWith(beginning)),
  )
