import {
  canonicaliseObject,
  type Change,
  type ObjectType,
  type Store,
} from '../../packages/service/test/inside.ts'
import { sampleEmployee } from './sample-employees.ts'

export const putOf = (type: ObjectType, properties: Readonly<Record<string, unknown>>): Change => {
  const made = canonicaliseObject(type, properties)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return { kind: 'put', object: made.object }
}

/** In batches of 5,000, one commit each, two in flight at a time. */
export async function loadSample(
  store: Store,
  type: ObjectType,
  { objects, say }: { readonly objects: number; readonly say: (line: string) => void },
): Promise<void> {
  const atOnce = 5_000
  const inFlight: Promise<unknown>[] = []
  for (let from = 0; from < objects; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, objects - from) }, (_, i) => from + i)
    const changes = numbers.map((number) => putOf(type, sampleEmployee(number)))
    if (inFlight.length === 2) await inFlight.shift()
    inFlight.push(store.commit({ parts: [{ type, changes }] }))
    if (from > 0 && from % 500_000 === 0) say(`${from.toLocaleString('en')} objects loaded`)
  }
  await Promise.all(inFlight)
}
