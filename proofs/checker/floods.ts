// One caller floods the service in one way after another, while another one asks for one page at a time: nothing is refused to that one,
// its pages take at most ten times as long as on a quiet service, or a second, and the service stays small. It uses nothing of the
// service but what it answers.
import { expect, type Proof } from '../harness/prove.ts'
import { withDatabase, withProcess } from './access/serve.ts'
import { floods } from './floods/floods.ts'
import { judge, judgedAs, mostMemory, type Judged } from './floods/judge.ts'
import { measureFlood } from './floods/measure-flood.ts'
import { numberOf } from './number-of.ts'
import { makeTypes } from './floods/types.ts'

export const checkFloods = (proof: Proof): Promise<void> =>
  proof.point(
    'Whatever one caller sends, another one that sends one request at a time is served, and soon',
    async () => {
      const factor = numberOf(proof, 'factor', 1)
      const only = proof.given['flood']
      const names = Object.keys(floods).filter((name) => only === undefined || name === only)
      expect(names.length > 0, `--flood takes one of ${Object.keys(floods).join(', ')}`)
      const broken = await withDatabase(async (databaseUrl) => {
        const types = await withProcess(databaseUrl, {}, makeTypes)
        // Each flood meets a service that has done nothing else.
        const flood = async (name: string): Promise<Judged> =>
          judge(
            await withProcess(databaseUrl, {}, (served) =>
              measureFlood({ ...types, ...served }, name, factor),
            ),
          )
        const failed: string[] = []
        proof.say(`one page at a time, in milliseconds, and at most ${mostMemory} MiB`)
        for (const name of names) {
          let judged = await flood(name)
          // A busy machine makes everything slow for a while.
          if (judged.problems.length > 0) judged = await flood(name)
          proof.say(judgedAs(name, judged))
          if (judged.problems.length > 0) failed.push(name)
        }
        return failed
      })
      expect(broken.length === 0, `broken by ${broken.join(', ')}`)
      return `${names.length} kinds of floods`
    },
  )
