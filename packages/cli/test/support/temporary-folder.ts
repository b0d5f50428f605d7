import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** An empty folder for the tests of a file, which is removed after them with all that they left in it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
