import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

/** Writes this many lines, in bounded memory. */
export async function writeSampleFile(
  path: string,
  objects: number,
  make: (number: number) => object,
): Promise<void> {
  const file = createWriteStream(path)
  const atOnce = 1_000
  for (let from = 0; from < objects; from += atOnce) {
    let text = ''
    for (let i = from; i < Math.min(objects, from + atOnce); i += 1) text += `${JSON.stringify(make(i))}\n`
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
}
