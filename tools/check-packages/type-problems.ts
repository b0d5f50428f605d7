import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { publishedEntryPoints } from './entry-points.ts'
import type { PackedPackage } from './pack-all.ts'

/** The problems that "are the types wrong" finds, for users of ECMAScript modules: our packages have no others. */
export async function typeProblems({ manifest, tarball }: PackedPackage): Promise<readonly string[]> {
  // Only a command: there is nothing to import.
  if (manifest.exports === undefined) return []
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
    entrypoints: [...publishedEntryPoints(manifest)],
  })
  if (!('problems' in result)) return ['has no types']
  return result.problems.filter(concernsModules).map(describe)
}

const concernsModules = (problem: Problem): boolean => {
  if ('resolutionKind' in problem) return ['node16-esm', 'bundler'].includes(problem.resolutionKind)
  if ('resolutionOption' in problem) return problem.resolutionOption !== 'node10'
  return true
}

const describe = (problem: Problem): string => {
  const { kind, ...where } = problem
  const facts = Object.entries(where).filter(([, value]) => typeof value === 'string')
  return `the types are wrong: ${kind} (${facts.map(([name, value]) => `${name} ${value}`).join(', ')})`
}
