import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pointOf, type ProofFile } from '../../proofs/harness/prove.ts'
import type { Claim } from '../check/claims.ts'

const folder = join(import.meta.dirname, '../../proofs')

export const proofNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length))
  .toSorted()

export async function loadProof(name: string): Promise<ProofFile> {
  if (!proofNames.includes(name)) {
    throw new RangeError(`There is no proof "${name}". There are: ${proofNames.join(', ')}.`)
  }
  return (await import(join(folder, `${name}.ts`))) as ProofFile
}

const says = { always: '', long: ' (long form)', named: ' (figures)' } as const

/** The sentence that the proof is for, and its points. */
export function describeProof(name: string, { points }: ProofFile, claims: readonly Claim[]): string {
  const sentences = claims
    .filter((claim) => claim.name === `prove:${name}` || claim.name.startsWith(`${name}:`))
    .map(({ claim }) => claim)
  const listed = Object.entries(points).map(([point, shown]) => point + says[pointOf(shown).runs])
  return [name, ...sentences, listed.join(', ')].join('\n   ')
}
