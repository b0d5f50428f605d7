// What a newcomer has after `npm install octavo`: an empty project with the packages. Until they are published, from tarballs.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '../harness/prove.ts'
import { strangersEnvironment } from '../harness/inside-clone.ts'
import { lastLines, runToEnd } from '../harness/run-to-end.ts'
import { packAll } from '../../tools/check-packages/pack-all.ts'

const root = join(import.meta.dirname, '../..')

export interface PackedProject {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

/** Installs all packages into `folder`/project; nothing of the environment leads to this repository or to a PostgreSQL. */
export async function packedProject(folder: string): Promise<PackedProject> {
  const run = async (command: readonly string[], where: string, env?: NodeJS.ProcessEnv) => {
    const { code, output } = await runToEnd(command, { in: where, ...(env !== undefined && { env }) })
    expect(code === 0, `${command.join(' ')} failed:\n   | ${lastLines(output, 20)}`)
  }
  await run([process.execPath, 'node_modules/typescript-7/bin/tsc', '-b', 'tsconfig.build.json'], root)
  const project = join(folder, 'project')
  await mkdir(project)
  await writeFile(join(project, 'package.json'), '{ "private": true }')
  const env = withoutPostgres(strangersEnvironment())
  const tarballs = packAll(folder).map(({ tarball }) => tarball)
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  await run(['npm', 'install', ...flags, ...tarballs], project, env)
  return { folder: project, env }
}

/** PostgreSQL may also be where no PATH leads; `npm` makes it unseen there, too. */
const withoutPostgres = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(OCTAVO_|PG)/.test(name))),
  PATH: (env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !/postgres/i.test(folder))
    .join(':'),
  OCTAVO_POSTGRES_BIN: 'npm',
})
