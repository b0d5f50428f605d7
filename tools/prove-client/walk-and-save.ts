// A process that reads a collection and writes down what it has, now and then, together with its saved walk. It begins
// where the file says, and is killed without notice.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createClient } from '@octavo/client'
import { randomFrom } from './random.ts'

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

/** Both in one file that appears whole: what is written down and where the walk is never differ. */
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
