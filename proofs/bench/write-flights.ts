import { open } from 'node:fs/promises'
import { aviationCounts, aviationObjects } from '../../packages/cli/test/inside.ts'

/** Writes flights as `octavo demo` makes them, one for each line. With `changed`, nine of ten have another delay, which is sortable. */
export async function writeFlights(path: string, objects: number, { changed = false } = {}): Promise<void> {
  const file = await open(path, 'w')
  const made = aviationObjects(1, { ...aviationCounts(objects), flight: objects })
  let text = ''
  for (let number = 0; number < objects; number += 1) {
    const flight = made.flight(number)
    const isChanged = changed && number % 10 > 0
    text += `${JSON.stringify(isChanged ? { ...flight, delayMinutes: 1_000 + number } : flight)}\n`
    if (text.length < 1_000_000) continue
    await file.write(text)
    text = ''
  }
  await file.write(text)
  await file.close()
}
