// Closed loop: each connection sends its next request when the last answer has come. wrk is written in C and takes little
// of the processors that it shares with what it measures.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchRequest, LoadOptions, LoadResult } from '../contestants/contestant.ts'

const run = promisify(execFile)

export interface WrkOptions extends LoadOptions {
  /** Each gets as many of the connections. */
  readonly urls: readonly string[]
  /** Sent in random order. */
  readonly requests: readonly BenchRequest[]
}

export async function requireWrk(): Promise<void> {
  try {
    // It answers with its version and the exit code 1.
    await run('wrk', ['--version']).catch((error: { readonly stdout?: string }) => {
      if (!error.stdout?.startsWith('wrk')) throw error
    })
  } catch {
    throw new Error('wrk is not installed: get it with `apt-get install wrk` or `brew install wrk`.')
  }
}

export async function runWrk({ urls, requests, connections, seconds }: WrkOptions): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-wrk-'))
  try {
    const script = join(folder, 'pages.lua')
    await writeFile(script, luaScript(urls, requests))
    const { stdout } = await run('wrk', [
      `--threads=${urls.length}`,
      `--connections=${connections}`,
      `--duration=${seconds}s`,
      '--timeout=30s',
      `--script=${script}`,
      urls[0] ?? '',
    ])
    return readResult(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function readResult(stdout: string): LoadResult {
  const [, ...fields] = /^bench (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? []
  const [pages, microseconds, refused, broken] = fields.map(Number)
  if (pages === undefined || microseconds === undefined) throw new Error(`wrk wrote no figures: ${stdout}`)
  if (refused !== 0 || broken !== 0 || pages === 0) {
    throw new Error(`${pages} answers, ${refused} of them no page, and ${broken} broken connections`)
  }
  return { pages, seconds: microseconds / 1e6 }
}

/** Long brackets need no escapes; no request of ours holds their end. */
const luaText = (text: string): string => `[==[${text}]==]`

function luaScript(urls: readonly string[], requests: readonly BenchRequest[]): string {
  const addresses = urls.map((url) => new URL(url)).map(({ hostname, port }) => `{"${hostname}", "${port}"}`)
  const lines = requests.map(({ method, path, headers, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `["${name}"] = ${luaText(value)}`)
    return `{"${method}", ${luaText(path)}, {${pairs.join(', ')}}, ${body === undefined ? 'nil' : luaText(body)}}`
  })
  return `
local addresses = {${addresses.join(', ')}}
local asked = {
${lines.join(',\n')}
}
local threads = 0
function setup(thread)
  local address = addresses[threads % #addresses + 1]
  thread.addr = wrk.lookup(address[1], address[2])[1]
  threads = threads + 1
  thread:set("seed", threads)
end
local ready = {}
function init()
  math.randomseed(os.time() * 10 + seed)
  for i, each in ipairs(asked) do ready[i] = wrk.format(each[1], each[2], each[3], each[4]) end
end
function request()
  return ready[math.random(#ready)]
end
function done(summary)
  local errors = summary.errors
  io.write(string.format("bench %d %d %d %d\\n", summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`
}
