import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { speedCharts } from './speed-charts.ts'
import { speedPage } from './speed-page.ts'
import type { SpeedReport } from './speed-report.ts'

/** Writes the page and its charts, as they are committed. */
export async function writeReport(folder: string, report: SpeedReport): Promise<void> {
  const charts = join(folder, 'speed')
  await mkdir(charts, { recursive: true })
  for (const [name, svg] of Object.entries(speedCharts(report))) await writeFile(join(charts, name), svg)
  const file = join(folder, 'speed.md')
  const config = await resolveConfig(import.meta.filename)
  await writeFile(file, await format(speedPage(report), { ...config, filepath: file }))
}
