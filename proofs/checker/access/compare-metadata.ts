import type { Comparison } from './comparison.ts'
import { get, post, searchPath, v2Path } from './paths.ts'
import { docs } from './two-types.ts'

/** The answers about the types themselves. */
export async function compareMetadata({ both, two }: Comparison): Promise<void> {
  for (const path of ['', '/objectTypes', '/fullMetadata'])
    await both(`metadata of v2 ${path}`, () => get(`${v2Path}${path}`))
  const type = (start: string, side: 'a' | 'b') =>
    `${start}/v1/ontologies/${two.rid}/objectTypes/${docs(side)}`
  await both('type', (side) => get(type('/api', side)))
  await both('type of 2.0', (side) => get(searchPath(docs(side))))
  await both('commits', (side) => get(`${searchPath(docs(side))}/commits`))
  for (const what of ['', '/statistics'])
    await both(`managed type ${what}`, (side) => get(`${type('/manage', side)}${what}`))
  await both('snapshot', (side) => post('/api/one/v1/snapshots', { objectTypes: [docs(side)] }))
}
