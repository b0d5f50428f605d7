import { describeMachine } from '../harness/machine.ts'
import type { Proof } from '../harness/prove.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { startOctavo } from '../harness/start-octavo.ts'
import { buildOctavo } from './build-octavo.ts'
import { prepareData } from './data/prepare-data.ts'
import { measureMiddle } from './flat/prove-size.ts'
import { requireWrk } from './load/wrk.ts'
import { readSpeedOptions } from './options.ts'
import type { SpeedReport } from './report/speed-report.ts'
import { writeReport } from './report/write-report.ts'
import type { SpeedRun } from './run.ts'

/** What the parts have measured. */
type Found = Partial<Omit<SpeedReport, 'options' | 'date' | 'machine'>>

export interface SpeedWorld extends SpeedRun {
  /** Started when they are first needed. */
  readonly services: () => Promise<readonly ServiceProcess[]>
  readonly found: { -readonly [Name in keyof Found]: Found[Name] }
}

/** The points of the proof, on the same data. If all of the long form have measured something, their figures are written. */
export async function withSpeed(work: (world: SpeedWorld) => Promise<void>, proof: Proof): Promise<void> {
  const options = readSpeedOptions(proof)
  await requireWrk()
  if (options.built) await buildOctavo(proof.say)
  const { objects } = options
  const data = await prepareData({ objects, say: proof.say, beforeChange: measureMiddle })
  const started: ServiceProcess[] = []
  const services = async () => {
    while (started.length < options.processes) {
      started.push(await startOctavo({ databaseUrl: data.cluster.url, built: options.built }))
    }
    return started
  }
  const found: SpeedWorld['found'] = {}
  try {
    await work({ proof, data, options, services, found })
    const { rates, latencies, flat, hot, many, footprint } = found
    if (rates && latencies && flat && hot && many) {
      const machine = await describeMachine(data.store.database)
      const measured = { rates, latencies, flat, hot, many, footprint }
      await writeReport(options.out, { options, date: new Date(), machine, ...measured })
      proof.say(`written to ${options.out}`)
    }
  } finally {
    for (const service of started) await service.stop()
    await data.end()
  }
}
