// Looks for what nobody thought of: does much by chance, from outside, and compares every answer with its own model. It uses nothing
// of the product but the programs and what the packages export, and says its seed. The options say for how long or how often; give each
// point an hour before a release: `npm run prove -- checker --point jepsen --minutes 60`.
import { checkAccess } from './checker/access.ts'
import { checkExports } from './checker/exports.ts'
import { checkFloods } from './checker/floods.ts'
import { checkFuzz } from './checker/fuzz.ts'
import { checkHistories } from './checker/jepsen.ts'
import { checkKills } from './checker/kills.ts'
import type { Points } from './harness/prove.ts'

export const points: Points = {
  access: checkAccess,
  exports: checkExports,
  jepsen: checkHistories,
  fuzz: checkFuzz,
  floods: checkFloods,
  kills: checkKills,
}

export const options = {
  /** Of jepsen. */
  minutes: { type: 'string' },
  /** Of exports and kills. */
  rounds: { type: 'string' },
  /** Of fuzz; a million take about an hour. */
  inputs: { type: 'string' },
  /** Of floods: how long each takes, in units of four seconds. */
  factor: { type: 'string' },
  /** Of floods: only this one. */
  flood: { type: 'string' },
  /** Of access: the numbers of objects. */
  hidden: { type: 'string' },
  visible: { type: 'string' },
  /** With the same seed the same is chosen. */
  seed: { type: 'string' },
} as const
