// A page of the newest of many types, or of the newest of many ontologies, compared with a page of the only one: two
// services on two databases, asked alternately, so that both see the same machine.
import { expect } from '../../harness/prove.ts'
import type { BenchRequest } from '../../harness/ask-json.ts'
import { median } from '../../harness/statistics.ts'
import type { SpeedRun } from '../run.ts'
import { serveDatabase, type ServedDatabase } from './served-database.ts'

export interface ManyPoint {
  readonly x: number
  readonly milliseconds: number
  readonly onlyMilliseconds: number
}

type Many = 'types' | 'ontologies'

const steps: Readonly<Record<Many, { readonly short: readonly number[]; readonly full: readonly number[] }>> =
  {
    types: { short: [1, 50], full: [1, 10, 100, 1_000, 5_000] },
    ontologies: { short: [1, 20], full: [1, 10, 100, 1_000] },
  }

/** A small run has few of everything. */
const stepsFor = (
  many: Many,
  { short, objects }: { readonly short: boolean; readonly objects: number },
): readonly number[] => (short ? steps[many].short : steps[many].full.filter((x) => x <= objects / 200))

export async function proveMany({ proof, data }: SpeedRun, many: Many): Promise<readonly ManyPoint[]> {
  const points: ManyPoint[] = []
  // The short form does not assert times; it only checks that the pages of many types are right.
  const most = proof.short ? 10 : 1.1
  const times = proof.short ? 50 : 500
  const [only, growing] = await Promise.all(
    ['only', 'growing'].map((name) => serveDatabase(data, `bench_${name}_${many}`)),
  )
  try {
    await proof.point(
      `A page of the newest of many ${many} takes at most ${most} times as long`,
      async () => {
        expect(only !== undefined && growing !== undefined, 'the databases are missing')
        const onlyRequest = await only.newType(await only.newOntology())
        const requests: BenchRequest[] = []
        let ontology = await growing.newOntology()
        for (const x of stepsFor(many, { short: proof.short, objects: data.objects })) {
          const since = requests.length
          while (requests.length < x) {
            if (many === 'ontologies' && requests.length > 0) ontology = await growing.newOntology()
            requests.push(await growing.newType(ontology))
          }
          // As far as the service can tell, all of them are in use.
          for (const request of requests.slice(since)) await growing.ask(request)
          const newest = requests.at(-1)
          expect(newest !== undefined, 'nothing was made')
          const pair = { only, onlyRequest, growing, newest }
          // Neither of the two may be the one that has just started.
          if (points.length === 0) await inTurn(times, pair)
          const point = {
            x,
            ...(await inTurn(times, pair)),
          }
          points.push(point)
          proof.say(
            `${x.toLocaleString('en')} ${many}: ${point.milliseconds.toFixed(2)} ms, the only one ${point.onlyMilliseconds.toFixed(2)} ms`,
          )
        }
        const ratios = points.map(({ milliseconds, onlyMilliseconds }) => milliseconds / onlyMilliseconds)
        const worst = Math.max(...ratios)
        expect(worst <= most, `${worst.toFixed(2)} times`)
        return `${worst.toFixed(2)} times at worst`
      },
    )
  } finally {
    await only?.end()
    await growing?.end()
  }
  return points
}

interface Pair {
  readonly only: ServedDatabase
  readonly onlyRequest: BenchRequest
  readonly growing: ServedDatabase
  readonly newest: BenchRequest
}

async function inTurn(times: number, { only, onlyRequest, growing, newest }: Pair) {
  const ofOnly: number[] = []
  const ofNewest: number[] = []
  for (let i = 0; i < times; i += 1) {
    ofOnly.push(await only.ask(onlyRequest))
    ofNewest.push(await growing.ask(newest))
  }
  return { milliseconds: median(ofNewest), onlyMilliseconds: median(ofOnly) }
}
