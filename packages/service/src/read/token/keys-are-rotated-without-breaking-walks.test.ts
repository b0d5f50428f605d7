// Follows docs/run/operating.md, step by step, as listed in its table.
import { limits } from '@octavo/protocol'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageTokenKeys } from '../../config/page-token-key.ts'
import type { RequestIdentity } from '../request/request-identity.ts'
import { openPageToken } from './open-page-token.ts'
import { sealPageToken } from './seal-page-token.ts'
import { tokenBinding } from './token-binding.ts'
import { tokenSealer, type TokenSealer } from './token-sealer.ts'

const guide = readFileSync(new URL('../../../../../docs/run/operating.md', import.meta.url), 'utf8')
const steps = [...guide.matchAll(/^\| \d +\| (.*?) +\|/gm)].map(([, step = '']) => step)

const secrets = { k1: Buffer.alloc(32, 1), k2: Buffer.alloc(32, 2) }

/** An instance started with the setting that the guide names, such as `k1:...,k2:...`. */
function instance(setting: string): TokenSealer {
  const text = setting
    .replaceAll('`', '')
    .replaceAll(/(k[12]):\.\.\./g, (_, id: 'k1' | 'k2') => `${id}:${secrets[id].toString('base64url')}`)
  const keys = pageTokenKeys.parse(text)
  if (keys === undefined) throw new Error(`the service would not start with ${text}`)
  return tokenSealer(keys)
}

const identity: RequestIdentity = {
  endpoint: 'listObjects',
  ontology: 'ri.ontology.main.ontology.1',
  objectType: 'employee',
  query: '{"type":"empty"}',
  orderBy: '[]',
  select: '',
  snapshot: 'false',
}
const binding = tokenBinding({ subject: 'ada' }, identity)
const start = Date.parse('2026-01-01T00:00:00Z')
const at = (minutes: number) => new Date(start + minutes * 60_000)
const walk = {
  id: '0011223344556677',
  mode: { kind: 'default' },
  order: undefined,
  total: undefined,
  served: 1,
  position: ['a'],
} as const

const sealedBy = (sealer: TokenSealer, now: Date) => sealPageToken(sealer, walk, { binding, now })
const opens = (sealer: TokenSealer, token: string, now: Date) =>
  openPageToken(sealer, token, { binding, now })

it('the guide has the steps that this file follows', () => {
  expect(steps).toEqual(['`k1:...,k2:...`', '`k2:...,k1:...`', 'wait 15 minutes', '`k2:...`'])
  expect(limits.pageToken.lifeSeconds).toBe(15 * 60)
})

describe('P13: while keys are rotated as the guide says', () => {
  // The setting before the rotation, then that of each step which changes it.
  const settings = ['k1:...', ...steps.filter((step) => step.includes('k2'))]
  const minuteOf = [0, 10, 20, 36]

  it.each([1, 2])('at step %d, instances before and after it open the tokens of each other', (step) => {
    const before = instance(settings[step - 1] ?? '')
    const after = instance(settings[step] ?? '')
    const now = at(minuteOf[step] ?? 0)
    for (const [sealer, opener] of [
      [before, after],
      [after, before],
    ] as const) {
      expect(opens(opener, sealedBy(sealer, now), now)).toEqual(walk)
    }
  })

  it('once the wait is over, the old key opens nothing that would not be refused as expired', () => {
    const rolledOut = at(20)
    const waited = at(20 + 15 + 1)
    const lastOfOldKey = sealedBy(instance(settings[1] ?? ''), rolledOut)
    expect(() => opens(instance(settings[2] ?? ''), lastOfOldKey, waited)).toThrow(
      expect.objectContaining({ parameters: { reason: 'expired' } }),
    )
    const ofNewKey = sealedBy(instance(settings[2] ?? ''), waited)
    expect(opens(instance(settings[3] ?? ''), ofNewKey, waited)).toEqual(walk)
  })

  it('a walk continues through all steps, one page at each', () => {
    let token = sealedBy(instance(settings[0] ?? ''), at(0))
    for (const [i, minutes] of [0, 10, 20, 34].entries()) {
      const now = at(minutes)
      const opened = opens(instance(settings[i] ?? ''), token, now)
      token = sealPageToken(instance(settings[i] ?? ''), opened, { binding, now })
    }
    expect(token).not.toBe('')
  })
})

it('a key that is forgotten at once ends walks with an error, never with a wrong page', () => {
  const token = sealedBy(instance('k1:...'), at(0))
  expect(() => opens(instance('k2:...'), token, at(1))).toThrow(
    expect.objectContaining({ errorName: 'InvalidPageToken', parameters: { reason: 'malformed' } }),
  )
})
