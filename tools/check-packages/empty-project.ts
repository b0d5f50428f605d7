// What a user has: an empty folder, npm, and the packages. Nothing of this repository is available there.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startCluster } from '@octavo/dev-database'
import { strangersEnvironment } from '../../proofs/harness/inside-clone.ts'
import { lastLines, runToEnd } from '../../proofs/harness/run-to-end.ts'
import type { PackedPackage } from './pack-all.ts'

const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

const program = `
import { createClient, OctavoError, type ErrorName } from '@octavo/client'
import { errorTable, limits, type ErrorRow } from '@octavo/protocol'

const row: ErrorRow = errorTable.InvalidPageToken
const client = createClient({ url: 'http://127.0.0.1:1', token: 'none', retries: 0 })
try {
  for await (const flight of client.family('aviation').objects('flight').all({ snapshot: true })) console.log(flight)
} catch (error) {
  if (!(error instanceof OctavoError)) throw error
  const name: ErrorName = error.errorName
  console.log(name, row.code, limits.pageToken.characters)
}
// @ts-expect-error: the types are there, so a mistake is one.
export const mistaken = () => createClient({ address: 'http://127.0.0.1:1' })
`

const install = [
  'npm',
  'install',
  '--prefer-offline',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  // The content check already verifies that declarations find their imports; the rest would take half a minute for TypeBox.
  skipLibCheck: true,
  outDir: 'built',
}

interface Step {
  readonly does: string
  readonly command: readonly string[]
  readonly says?: string
}

/** Installs the tarballs, compiles against them, and runs them; returns the first failure. */
export async function problemsInAnEmptyProject(
  packed: readonly PackedPackage[],
  folder: string,
): Promise<readonly string[]> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  await writeFile(join(folder, 'program.ts'), program)
  const cluster = await startCluster()
  const env = { ...strangersEnvironment(), OCTAVO_DATABASE_URL: cluster.url }
  try {
    for (const { does, command, says = '' } of steps(packed)) {
      const startedAt = performance.now()
      const { code, output } = await runToEnd(command, { in: folder, env })
      if (code !== 0 || !output.includes(says)) {
        return [`in an empty project, ${does} fails:\n   | ${lastLines(output, 20)}`]
      }
      console.log(`empty project: ${does}, ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    }
    return []
  } finally {
    await cluster.stop()
  }
}

const steps = (packed: readonly PackedPackage[]): readonly Step[] => [
  {
    does: 'npm install',
    command: [...install, ...packed.map(({ tarball }) => tarball)],
  },
  { does: 'tsc', command: [process.execPath, tsc, '-p', '.'] },
  {
    does: 'a program with the client and the protocol',
    command: [process.execPath, 'built/program.js'],
    says: 'NetworkFailure INVALID_ARGUMENT',
  },
  {
    does: 'import of every package',
    command: [
      process.execPath,
      '--input-type=module',
      '--eval',
      packed
        .filter(({ manifest }) => manifest.exports !== undefined)
        .map(({ name }) => `await import('${name}')`)
        .join('\n'),
    ],
  },
  {
    does: 'octavo --version',
    command: ['npx', '--no', '--', 'octavo', '--version'],
    says: packed[0]?.version ?? '',
  },
  { does: 'octavo --help', command: ['npx', '--no', '--', 'octavo', '--help'], says: 'Exit codes:' },
  { does: 'octavo migrate', command: ['npx', '--no', '--', 'octavo', 'migrate'] },
  {
    does: 'octavo-conformance --help',
    command: ['npx', '--no', '--', 'octavo-conformance', '--help'],
    says: '--revision',
  },
]
