import type { PackedPackage } from './pack-all.ts'

type Manifest = PackedPackage['manifest']

/** An entry point that has nothing but source: what plugs into the tests of this repository is not published. */
export const isForThisWorkspace = ({ exports = {} }: Manifest, entryPoint: string | undefined): boolean => {
  const target = entryPoint === undefined ? undefined : exports[entryPoint]
  return (
    typeof target === 'object' && Object.keys(target).every((condition) => condition === '@octavo/source')
  )
}

/** The entry points that a user imports code from. */
export const publishedEntryPoints = (manifest: Manifest): readonly string[] =>
  Object.keys(manifest.exports ?? {}).filter(
    (entryPoint) => !entryPoint.endsWith('.json') && !isForThisWorkspace(manifest, entryPoint),
  )
