import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export interface PackedPackage {
  readonly name: string
  readonly version: string
  /** The size of the tarball in bytes. */
  readonly size: number
  /** Paths in the package. */
  readonly files: readonly string[]
  /** Its folder in this repository. */
  readonly folder: string
  readonly manifest: Manifest
  readonly tarball: string
}

interface Manifest {
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

interface PackReport {
  readonly name: string
  readonly version: string
  readonly filename: string
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

/** Packs every package of the workspace into the folder, as `npm publish` would. */
export function packAll(folder: string): readonly PackedPackage[] {
  const reports: readonly PackReport[] = JSON.parse(
    execFileSync(
      'npm',
      ['pack', '--workspaces', '--json', `--pack-destination=${folder}`, '--loglevel=error'],
      {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      },
    ),
  )
  const packed = reports.map(({ name, version, filename, size, files }) => {
    const folderOfPackage = join(root, 'packages', name.replace('@octavo/', ''))
    return {
      name,
      version,
      size,
      files: files.map(({ path }) => path),
      folder: folderOfPackage,
      manifest: JSON.parse(readFileSync(join(folderOfPackage, 'package.json'), 'utf8')),
      tarball: join(folder, filename),
    }
  })
  return packed.filter(({ manifest }) => manifest.private !== true)
}
