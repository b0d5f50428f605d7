import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findBinaries } from './find-binaries.ts'

it('finds a server of version 15 or newer on this machine', async () => {
  const { folder, majorVersion } = await findBinaries(undefined)
  expect(majorVersion).toBeGreaterThanOrEqual(15)
  expect(existsSync(join(folder, 'initdb'))).toBe(true)
})

it('says what is wrong with a folder that was asked for', async () => {
  await expect(findBinaries('/nowhere')).rejects.toThrow(
    'OCTAVO_POSTGRES_BIN is /nowhere, but initdb and postgres of version 15 or newer are not in it: set it to the folder that holds both, or unset it.',
  )
})
