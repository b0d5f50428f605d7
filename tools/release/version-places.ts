// Every file that states the version, and how it is written there. All packages have the same version.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface VersionPlace {
  readonly path: string
  readonly text: string
}

type Rewrite = (text: string, version: string) => string

interface Manifest {
  version?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const inManifest = (manifest: Manifest, version: string): void => {
  manifest.version = version
  for (const wanted of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(wanted ?? {}))
      if (wanted && name.startsWith('@octavo/')) wanted[name] = version
  }
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const packageJson: Rewrite = (text, version) => {
  const manifest: Manifest = JSON.parse(text)
  inManifest(manifest, version)
  return asJson(manifest)
}

const lockFile: Rewrite = (text, version) => {
  const lock: { readonly packages: Readonly<Record<string, Manifest>> } = JSON.parse(text)
  for (const [path, manifest] of Object.entries(lock.packages)) {
    if (/^packages\/[^/]+$/.test(path)) inManifest(manifest, version)
  }
  return asJson(lock)
}

const after =
  (before: RegExp): Rewrite =>
  (text, version) =>
    text.replaceAll(new RegExp(`(?<=${before.source})\\d+[.]\\d+[.]\\d+\\b`, 'g'), version)

const places: Readonly<Record<string, Rewrite>> = {
  'packages/*/package.json': packageJson,
  'package-lock.json': lockFile,
  'deploy/kubernetes/deployment.yaml': after(/image: octavo:/),
  'deploy/kubernetes/kustomization.yaml': after(/newTag: /),
  'docs/run/installing.md': after(/octavo:/),
}

/** The files with this version; throws if one of them would not state it. */
export function placesWith(version: string, root: string): readonly VersionPlace[] {
  return Object.entries(places).flatMap(([pattern, rewrite]) =>
    globSync(pattern, { cwd: root }).map((path) => {
      const text = rewrite(readFileSync(join(root, path), 'utf8'), version)
      if (!text.includes(version))
        throw new Error(`${path} has no place for the version: see tools/release/version-places.ts`)
      return { path, text }
    }),
  )
}

export const currentVersion = (root: string): string => {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(root, 'packages/service/package.json'), 'utf8'),
  )
  return version
}
