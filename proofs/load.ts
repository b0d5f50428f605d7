// From a file to pages, and what happens if something dies on the way. The short form has the same points with fewer objects and rounds.
import type { Points } from './harness/prove.ts'
import { proveLoadsMillions } from './load/loads-millions.ts'
import { proveLoadsSurviveKills } from './load/loads-survive-kills.ts'
import { proveReadme } from './load/readme-in-a-minute.ts'
import { proveReplacesExactly } from './load/replaces-exactly.ts'
import { proveSurvivesKills } from './load/survives-kills.ts'
import { proveWideUploads } from './load/wide-uploads.ts'

export const points: Points = {
  readme: proveReadme,
  millions: proveLoadsMillions,
  replace: proveReplacesExactly,
  'wide-uploads': proveWideUploads,
  kills: proveSurvivesKills,
  'killed-loads': proveLoadsSurviveKills,
}
