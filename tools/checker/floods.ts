// One caller floods the service in one way after another, while another one asks for one page at a time: nothing is refused to that one,
// its pages take at most ten times as long as on a quiet service, or a second, and the service stays small. It uses nothing of the
// service but what it answers.
//
//     node --conditions=@octavo/source tools/checker/floods.ts [FACTOR] [NAME ...]
//
// FACTOR says how long: 1 for four seconds a flood. With names, only those floods. Ends with 1 if a promise is broken.
import { withDatabase, withProcess } from './access/serve.ts'
import { floods } from './floods/floods.ts'
import { judge, judgedAs, mostMemory, type Judged } from './floods/judge.ts'
import { measureFlood } from './floods/measure-flood.ts'
import { makeTypes } from './floods/types.ts'

const [factor = 1] = process.argv.slice(2).map(Number)
const named = process.argv.slice(3)
const unknown = named.find((name) => !(name in floods))
if (!(factor > 0) || unknown !== undefined)
  throw new Error(`Give a factor, and names of floods: floods.ts 1 ${Object.keys(floods).join(' ')}`)

const names = named.length > 0 ? named : Object.keys(floods)
const broken = await withDatabase(async (databaseUrl) => {
  const types = await withProcess(databaseUrl, {}, makeTypes)
  // Each flood meets a service that has done nothing else.
  const flood = async (name: string): Promise<Judged> =>
    judge(await withProcess(databaseUrl, {}, (served) => measureFlood({ ...types, ...served }, name, factor)))
  const failed: string[] = []
  console.log(`one page at a time, in milliseconds, and at most ${mostMemory} MiB`)
  for (const name of names) {
    let judged = await flood(name)
    // A busy machine makes everything slow for a while.
    if (judged.problems.length > 0) judged = await flood(name)
    console.log(judgedAs(name, judged))
    if (judged.problems.length > 0) failed.push(name)
  }
  return failed
})
console.log(
  `floods: ${names.length} kinds, ${broken.length} broken${broken.map((name) => ` ${name}`).join(',')}`,
)
process.exit(broken.length === 0 ? 0 : 1)
