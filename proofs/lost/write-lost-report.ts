import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { lostPage } from './lost-page.ts'
import { lostPicture } from './lost-picture.ts'
import type { LostReport } from './lost-report.ts'

/** Writes the page and its picture, as they are committed. */
export async function writeLostReport(folder: string, report: LostReport): Promise<void> {
  const pictures = join(folder, 'what-others-lose')
  await mkdir(pictures, { recursive: true })
  await writeFile(join(pictures, 'walks.svg'), lostPicture(report.tallies))
  const file = join(folder, 'what-others-lose.md')
  const config = await resolveConfig(import.meta.filename)
  await writeFile(file, await format(lostPage(report), { ...config, filepath: file }))
}
