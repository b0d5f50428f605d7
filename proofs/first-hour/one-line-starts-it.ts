import { spawn } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@octavo/dev-database'
import { expect, type Proof } from '../harness/prove.ts'
import { endWithUs, killGroup, withTemporaryFolder } from '../harness/end-with-us.ts'
import { lastLines, runToEnd } from '../harness/run-to-end.ts'
import { packedProject, type PackedProject } from './packed-project.ts'

const mostSeconds = { first: 60, second: 10 } as const

/** The short form generates fewer objects, and only prints the times, so that a busy machine does not fail a good change. */
export const proveOneLine = ({ point, say, short }: Proof): Promise<void> =>
  point(
    `Without PostgreSQL, npx octavo demo gives a first page within ${mostSeconds.first} s, and ${mostSeconds.second} s the next time`,
    () =>
      withTemporaryFolder(async (folder) => {
        // As root the server has another user, which must be able to read what is downloaded.
        await chmod(folder, 0o755)
        const project = await packedProject(folder)
        const caches = { XDG_CACHE_HOME: join(folder, 'cache'), npm_config_cache: join(folder, 'npm') }
        await mkdir(caches.XDG_CACHE_HOME)
        const there: PackedProject = { ...project, env: { ...project.env, ...caches } }
        await refusesWithoutYes(there)
        const objects = short ? 1_000 : 100_000
        for (const [time, most] of Object.entries(mostSeconds)) {
          const seconds = await secondsToFirstPage(there, objects)
          say(`${time} time: the first page after ${seconds.toFixed(1)} s`)
          expect(short || seconds < most, `the first page came after ${seconds.toFixed(1)} s, not ${most} s`)
        }
        return 'PostgreSQL was downloaded once; both times a page was read and everything ended'
      }),
  )

async function refusesWithoutYes({ folder, env }: PackedProject): Promise<void> {
  const { code, output } = await runToEnd(['npx', '--no', '--', 'octavo', 'demo'], { in: folder, env })
  expect(code === 1 && output.includes('Add --yes to download'), `without --yes it said:\n${output}`)
}

/** From the command to the page that it tells to try first. */
async function secondsToFirstPage({ folder, env }: PackedProject, objects: number): Promise<number> {
  const startedAt = performance.now()
  const port = String(await freePort())
  const words = ['octavo', 'demo', '--yes', '--port', port, '--objects', String(objects)]
  const child = spawn('npx', ['--no', '--', ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  endWithUs(child)
  let output = ''
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (text) => {
        output += String(text)
        if (output.includes('Ctrl-C stops it')) resolve()
      })
      child.stderr.on('data', (text) => (output += String(text)))
      void ended.then(() => reject(new Error(`the demo ended by itself:\n   | ${lastLines(output, 20)}`)))
    })
    await readFirstPage(output)
    expect(output.includes('  npx octavo status'), `it prints commands that do not work there:\n${output}`)
    return (performance.now() - startedAt) / 1_000
  } finally {
    killGroup(child, 'SIGINT')
    await ended
  }
}

async function readFirstPage(greeting: string): Promise<void> {
  const exported = (name: string) => new RegExp(`export ${name}=(\\S+)`).exec(greeting)?.[1] ?? ''
  const path = `/api/v1/ontologies/${exported('OCTAVO_ONTOLOGY')}/objects/flight?pageSize=2`
  const answer = await fetch(`${exported('OCTAVO_URL')}${path}`, {
    headers: { authorization: `Bearer ${exported('OCTAVO_TOKEN')}` },
  })
  const { data } = (await answer.json()) as { readonly data?: readonly unknown[] }
  expect(data?.length === 2, `the first page was answered with ${answer.status}`)
}
