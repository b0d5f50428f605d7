// `npm run prove:load`: from a file to pages, and what happens if something dies on the way. The short form has the same
// points with fewer objects and rounds.
import { proveLoadsSurviveKills } from './prove-load/loads-survive-kills.ts'
import { proveLoadsMillions } from './prove-load/loads-millions.ts'
import { proveReadme } from './prove-load/readme-in-a-minute.ts'
import { proveReplacesExactly } from './prove-load/replaces-exactly.ts'
import { proveSurvivesKills } from './prove-load/survives-kills.ts'
import { proveWideUploads } from './prove-load/wide-uploads.ts'
import { prove } from './prove.ts'

await prove('load', async (proof) => {
  await proveReadme(proof)
  await proveLoadsMillions(proof)
  await proveReplacesExactly(proof)
  await proveWideUploads(proof)
  await proveSurvivesKills(proof)
  await proveLoadsSurviveKills(proof)
})
