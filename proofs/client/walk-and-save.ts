// A process that reads a collection and now and then saves what it has read, together with its saved walk. It starts where
// the file says, and is killed without notice.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createClient } from '@octavo/client'
import { randomFrom } from '../harness/random.ts'

export interface Progress {
  readonly keys: readonly string[]
  readonly saved: string
  readonly ended: boolean
}

const [url = '', token = '', file = '', snapshot = '', seed = ''] = process.argv.slice(2)
const random = randomFrom(Number(seed))
const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress) : undefined
const client = createClient({ url, token })
const objects = client.family('proof').objects('item')
const walk =
  before === undefined
    ? objects.all({ snapshot: snapshot === 'true', pageSize: 1 + random.below(60) })
    : client.resume(before.saved)
const keys = [...(before?.keys ?? [])]

/** Both in one file that is replaced atomically, so that the saved keys and the saved walk always agree. */
function write(ended: boolean): void {
  const progress: Progress = { keys, saved: walk.save(), ended }
  writeFileSync(`${file}.new`, JSON.stringify(progress))
  renameSync(`${file}.new`, file)
  process.stdout.write('.')
}

let untilSave = 1 + random.below(40)
for await (const { primaryKey } of walk) {
  keys.push(primaryKey)
  untilSave -= 1
  if (untilSave > 0) continue
  write(false)
  untilSave = 1 + random.below(40)
}
write(true)
