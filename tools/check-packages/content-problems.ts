import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { dirname, join as joinInPackage } from 'node:path/posix'

export interface PackageContent {
  readonly name: string
  readonly folder: string
  readonly files: readonly string[]
  readonly manifest: { readonly dependencies?: Readonly<Record<string, string>> }
}

/** What is missing from a package, and what does not belong there. */
export const contentProblems = (content: PackageContent): readonly string[] => [
  ...['LICENSE', 'README.md']
    .filter((path) => !content.files.includes(path))
    .map((path) => `has no ${path}; add the file beside package.json`),
  ...content.files
    .filter((path) => path.endsWith('.tsbuildinfo'))
    .map((path) => `${path} is of use to the compiler only; leave it out in "files"`),
  ...sourceProblems(content),
  ...importProblems(content),
]

/** Source files are published only for source maps. */
function sourceProblems({ folder, files }: PackageContent): readonly string[] {
  const mapOf = new Map(
    files
      .filter((path) => path.endsWith('.map'))
      .flatMap((map) => sourcesOf(folder, map).map((source) => [source, map] as const)),
  )
  return [
    ...[...mapOf]
      .filter(([source]) => !files.includes(source))
      .map(
        ([source, map]) =>
          `${map} points to ${source}, which is not packed: see "files", or remove dist and build`,
      ),
    ...files
      .filter((path) => path.startsWith('src/') && !mapOf.has(path))
      .map((path) => `${path} is packed, but nothing built comes from it; leave it out in "files"`),
  ]
}

const sourcesOf = (folder: string, map: string): readonly string[] => {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(
    readFileSync(join(folder, map), 'utf8'),
  )
  return sources.map((source) => joinInPackage(dirname(map), source))
}

/** In the workspace everything is installed, so only users would notice an import that no dependency covers. */
function importProblems({ name, folder, files, manifest }: PackageContent): readonly string[] {
  const allowed = new Set([name, ...Object.keys(manifest.dependencies ?? {})])
  return files
    .filter((path) => /^dist\/.*[.](js|d[.]ts)$/.test(path))
    .flatMap((path) =>
      packagesImportedBy(readFileSync(join(folder, path), 'utf8'))
        .filter((imported) => !isBuiltin(imported) && !allowed.has(imported))
        .map((imported) => `${path} imports ${imported}, which is not in "dependencies"`),
    )
}

const packagesImportedBy = (text: string): readonly string[] =>
  [
    // Comments of other packages, which a bundle contains, show how to import them.
    ...text
      .replaceAll(/^\s*\*.*$/gm, '')
      .matchAll(
        /^(?:import|export|\}).*?\bfrom '([^.'][^']*)'|\bimport\('([^.'][^']*)'\)|^import '([^.'][^']*)'/gm,
      ),
  ].map(([, from, dynamic, effect]) => packageOf(from ?? dynamic ?? effect ?? ''))

const packageOf = (specifier: string): string =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
