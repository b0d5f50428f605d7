// The contents of packages/protocol/wire-hashes.json: one line per wire shape, so that a change of the contract shows up in
// review as a changed line and never happens by accident.

import { createHash } from 'node:crypto'

import * as protocol from '@octavo/protocol'
import { errorNames, errorTable, limits, propertyFilterOperators, scopes } from '@octavo/protocol'

/** Texts about a shape; they may be improved without changing the wire format. */
const words: ReadonlySet<string> = new Set(['description', 'examples'])

export function wireHashes(): Record<string, string> {
  const shapes: [name: string, shape: unknown][] = [
    ...Object.entries(protocol).filter(
      ([name, value]) => name.endsWith('Schema') && typeof value === 'object',
    ),
    ...errorNames.map((name): [string, unknown] => {
      const { code, status, parameters, retryable } = errorTable[name]
      return [`error ${name}`, { code, status, parameters, retryable }]
    }),
    ['limits', limits],
    ['scopes', scopes],
    ['property filter operators', Object.keys(propertyFilterOperators)],
  ]
  return Object.fromEntries(shapes.sort(byName).map(([name, shape]) => [name, hash(shape)]))
}

function hash(shape: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(shape, { ofNames: false })))
    .digest('hex')
    .slice(0, 16)
}

// A property may itself be named `description`, so these texts are left out only where they are keywords.
function canonical(value: unknown, { ofNames }: { readonly ofNames: boolean }): unknown {
  if (Array.isArray(value)) return value.map((item) => canonical(item, { ofNames: false }))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => ofNames || !words.has(key))
  return kept
    .map(([key, inner]): [string, unknown] => [
      key,
      canonical(inner, { ofNames: !ofNames && key === 'properties' }),
    ])
    .sort(byName)
}

function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return a < b ? -1 : a > b ? 1 : 0
}
