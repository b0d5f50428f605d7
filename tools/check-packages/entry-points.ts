import type { PackedPackage } from './pack-all.ts'

type Manifest = PackedPackage['manifest']

/** Whether an entry point has only source: what plugs into the tests of this repository is not published. */
export const isForThisWorkspace = ({ exports = {} }: Manifest, entryPoint: string | undefined): boolean => {
  const target = entryPoint === undefined ? undefined : exports[entryPoint]
  return (
    typeof target === 'object' && Object.keys(target).every((condition) => condition === '@octavo/source')
  )
}

/** The entry points from which users import code. */
export const publishedEntryPoints = (manifest: Manifest): readonly string[] =>
  Object.keys(manifest.exports ?? {}).filter(
    (entryPoint) => !entryPoint.endsWith('.json') && !isForThisWorkspace(manifest, entryPoint),
  )
