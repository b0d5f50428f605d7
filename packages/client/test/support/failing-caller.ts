// A program of a user: each of its calls fails, and it prints where the errors say that they come from. `failing-caller.ts [url]`
import { createClient } from '@octavo/client'

const objects = createClient({ url: process.argv[2] ?? '', token: 'secret-token', retries: 0 })
  .family('library')
  .objects('employee')
const list = createClient({ url: process.argv[2] ?? '', token: 'secret-token', retries: 0 })
  .ontology('ri')
  .objects('employee')

async function show(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const [first = '', ...frames] = (error as Error).stack?.split('\n') ?? []
    const at = /failing-caller\.ts:(\d+)/.exec(frames[0] ?? '')?.[1]
    process.stdout.write(`${JSON.stringify({ name, first, at: Number(at) })}\n`)
  }
}

const wait = () => new Promise((resolve) => setTimeout(resolve, 50))

await show('a loop over objects', async () => {
  for await (const _ of objects.all()) await wait() // a loop over objects
})
await show('a loop over pages', async () => {
  for await (const _ of objects.pages()) await wait() // a loop over pages
})
await show('toArray', async () => {
  await objects.all().toArray() // toArray
})
await show('firstPage', async () => {
  await list.firstPage() // firstPage
})
await show('get of a list', async () => {
  await list.get('1') // get of a list
})
await show('get of a search', async () => {
  await objects.get('1') // get of a search
})
await show('an option', async () => {
  objects.all({ pageSize: 0 }) // an option
})
