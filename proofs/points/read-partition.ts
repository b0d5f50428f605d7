// A reader of a saved walk, in a separate process: reads to the end and says how many objects there were.
import { text } from 'node:stream/consumers'
import { createClient } from '@octavo/client'

const [, , url = '', token = ''] = process.argv
const saved = await text(process.stdin)
const startedAt = Date.now()
let objects = 0
const walk = createClient({ url, token }).resume(saved)
for await (const object of walk) if (object.primaryKey !== '') objects += 1
const { user, system } = process.cpuUsage()
process.stdout.write(
  JSON.stringify({ objects, startedAt, endedAt: Date.now(), cpuSeconds: (user + system) / 1e6 }),
)
