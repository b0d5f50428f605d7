// A user who tries Octavo has `octavo demo` and the kit: the kit must pass on the unmodified demo.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { reportForPeople, runKit, type Collection } from '@octavo/conformance'
import { freePort } from '@octavo/dev-database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtProgram } from '../../packages/octavo/bundle/built-program.ts'

interface Demo {
  readonly url: string
  readonly token: string
  readonly rid: string
  readonly stop: () => Promise<void>
}

async function startDemo(): Promise<Demo> {
  const port = await freePort()
  const words = ['demo', '--objects', '2000', '--port', String(port)]
  const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  let noted = ''
  child.stderr.on('data', (data: Buffer) => (noted += data.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('Ctrl-C stops it')) resolve()
    })
    child.once('close', () => reject(new Error(noted)))
  })
  const exported = (name: string) => new RegExp(`export ${name}=(\\S+)`).exec(said)?.[1] ?? ''
  return {
    url: exported('OCTAVO_URL'),
    token: exported('OCTAVO_TOKEN'),
    rid: exported('OCTAVO_ONTOLOGY'),
    stop: async () => {
      child.kill('SIGINT')
      await ended
    },
  }
}

let demo: Demo

beforeAll(async () => {
  demo = await startDemo()
})

afterAll(() => demo.stop())

it.for([
  ['1.0', 'flight', 50],
  ['2.0', 'person', 50],
  ['v2', 'flight', 12],
] as const)(
  'the kit finds nothing wrong with revision %s of %s in the demo',
  async ([revision, objectType, cases]) => {
    const { url, token, rid } = demo
    const collection: Collection = { revision, ontology: revision === '1.0' ? rid : 'aviation', objectType }
    const report = await runKit({ server: { url, token }, collection })
    const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed')
    expect(failed, reportForPeople({ ...report, results: failed })).toEqual([])
    const passed = report.results.filter(({ outcome }) => outcome.kind === 'passed')
    expect(passed.length).toBeGreaterThan(cases)
  },
)
