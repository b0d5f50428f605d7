import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lockExport } from './export-lock.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

const folder = temporaryFolder()

it('one has the lock until it lets it go, and nothing is left', async () => {
  const path = join(folder, 'one.lock')
  const unlock = await lockExport(path, 'one.ndjson')
  await expect(lockExport(path, 'one.ndjson')).rejects.toThrow('Another octavo export is writing one.ndjson')
  await unlock()
  expect(existsSync(path)).toBe(false)
  await (
    await lockExport(path, 'one.ndjson')
  )()
})

it('a process that is killed has no lock any more, though its file is still there', async () => {
  const path = join(folder, 'killed.lock')
  const module = new URL('export-lock.ts', import.meta.url).href
  const child = spawn(process.execPath, [
    '--conditions=@octavo/source',
    '--input-type=module',
    '--eval',
    `import { lockExport } from ${JSON.stringify(module)}
    await lockExport(${JSON.stringify(path)}, 'x')
    process.stdout.write('locked')
    setInterval(() => {}, 1_000)`,
  ])
  await once(child.stdout, 'data')
  await expect(lockExport(path, 'killed.ndjson')).rejects.toThrow('Another octavo export is writing')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(path)).toBe(true)
  const unlock = await lockExport(path, 'killed.ndjson')
  await unlock()
})

it('a file that is not empty is of somebody else', async () => {
  const path = join(folder, 'mine.lock')
  writeFileSync(path, 'mine')
  await expect(lockExport(path, 'mine.ndjson')).rejects.toThrow('is in the way')
})
