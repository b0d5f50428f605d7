// Closed loop: each connection sends its next request when the last answer has arrived. wrk is written in C and uses little
// of the processors that it shares with what it measures.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BenchRequest } from '../../harness/ask-json.ts'
import type { LoadOptions, LoadResult } from '../contestants/contestant.ts'

const run = promisify(execFile)

export interface WrkOptions extends LoadOptions {
  /** The connections are divided equally among them. */
  readonly urls: readonly string[]
  /** Sent in random order. */
  readonly requests: readonly BenchRequest[]
  readonly walk?: BenchWalk | undefined
}

/** Each answer leads to the next page, until the walk ends; then another request of the list starts a new walk. */
export interface BenchWalk {
  /** A Lua pattern for the text at the end of an answer that names the next page. */
  readonly next: string
  readonly requestFor: (next: string) => BenchRequest
  readonly pageSize: number
  /** How many objects are between the first page of a walk and that of the next one. */
  readonly step: number
}

export async function requireWrk(): Promise<void> {
  try {
    // wrk prints its version and exits with code 1.
    await run('wrk', ['--version']).catch((error: { readonly stdout?: string }) => {
      if (!error.stdout?.startsWith('wrk')) throw error
    })
  } catch {
    throw new Error('wrk is not installed: get it with `apt-get install wrk` or `brew install wrk`.')
  }
}

/** A server without an answer within that time is not just slow. */
const mostSeconds = 60

export async function runWrk(options: WrkOptions): Promise<LoadResult> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-wrk-'))
  try {
    const script = join(folder, 'pages.lua')
    await writeFile(script, luaScript(options))
    // A page far behind an OFFSET may take longer than the requested time.
    for (let { seconds } = options; ; seconds *= 4) {
      const result = readResult(await runOnce(script, { ...options, seconds }))
      if (result.pages > 0) return result
      if (seconds > mostSeconds) throw new Error(`Nothing was answered within ${seconds} s.`)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function runOnce(script: string, { urls, connections, seconds }: WrkOptions): Promise<string> {
  const { stdout } = await run('wrk', [
    `--threads=${urls.length}`,
    `--connections=${connections}`,
    `--duration=${seconds}s`,
    '--timeout=30s',
    `--script=${script}`,
    urls[0] ?? '',
  ])
  return stdout
}

function readResult(stdout: string): LoadResult {
  const [, ...fields] = /^bench (\d+) (\d+) (\d+) (\d+)$/m.exec(stdout) ?? []
  const [pages, microseconds, refused, broken] = fields.map(Number)
  if (pages === undefined || microseconds === undefined) throw new Error(`wrk wrote no figures: ${stdout}`)
  if (refused !== 0 || broken !== 0) {
    throw new Error(`${pages} answers, ${refused} of them no page, and ${broken} broken connections`)
  }
  return { pages, seconds: microseconds / 1e6 }
}

/** Long brackets need no escapes; none of our requests contains their end. */
const luaText = (text: string): string => `[==[${text}]==]`

/** A placeholder in a request for the cursor of the next page: letters only, so that no encoding changes it. */
const cursor = 'CursorOfTheNextPage'

function luaRequest({ method, path, headers, body }: BenchRequest): string {
  const pairs = Object.entries(headers).map(([name, value]) => `["${name}"] = ${luaText(value)}`)
  return `{"${method}", ${luaText(path)}, {${pairs.join(', ')}}, ${body === undefined ? 'nil' : luaText(body)}}`
}

function luaScript({ urls, requests, walk }: WrkOptions): string {
  const addresses = urls.map((url) => new URL(url)).map(({ hostname, port }) => `{"${hostname}", "${port}"}`)
  return `
local addresses = {${addresses.join(', ')}}
local asked = {
${requests.map(luaRequest).join(',\n')}
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
local going = {}
function request()
  return table.remove(going) or ready[math.random(#ready)]
end
${walk === undefined ? '' : luaWalk(walk)}
function done(summary)
  local errors = summary.errors
  io.write(string.format("bench %d %d %d %d\\n", summary.requests, summary.duration, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
`
}

/** The number of its first object tells how far along its walk a page is. */
const luaWalk = ({ next, requestFor, pageSize, step }: BenchWalk): string => `
local further = ${luaRequest(requestFor(cursor))}
local function with(text, next) return text and (text:gsub("${cursor}", next)) end
function response(status, headers, body)
  local first = tonumber(body:match("employee%-(%d+)"))
  if status ~= 200 or first == nil or (first - 1) % ${step} + ${2 * pageSize} > ${step} then return end
  local next = body:match(${luaText(next)}, #body - 1000)
  if next then
    going[#going + 1] = wrk.format(further[1], with(further[2], next), further[3], with(further[4], next))
  end
end`
