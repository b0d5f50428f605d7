// Copies every employee into a file, and can be stopped at any moment: the next run continues where this one ended. Objects
// and the place of the walk are saved together, so none is lost and none comes twice.
//
//   resume-after-a-crash.ts progress.json [pages after which this run crashes]
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createClient, type FoundObject } from '@octavo/client'

const { OCTAVO_URL: url = 'http://127.0.0.1:8080', OCTAVO_TOKEN: token = '' } = process.env
const [file = 'progress.json', crashAfter = 'never'] = process.argv.slice(2)

interface Progress {
  readonly copied: readonly FoundObject[]
  readonly walk: string
}

const client = createClient({ url, token })
const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress) : undefined
const walk =
  before === undefined
    ? client.family('example').objects('employee').all({ snapshot: true, pageSize: 5 })
    : client.resume(before.walk)

const copied = [...(before?.copied ?? [])]
let pages = 0
for await (const { data } of walk.pages()) {
  copied.push(...data)
  // Between two pages a saved walk is shortest. The file appears whole or not at all.
  writeFileSync(`${file}.new`, JSON.stringify({ copied, walk: walk.save() } satisfies Progress))
  renameSync(`${file}.new`, file)
  pages += 1
  if (String(pages) === crashAfter) process.exit(1)
}
console.log(`${copied.length} employees are in ${file}; this run read ${pages} pages`)
