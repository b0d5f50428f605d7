import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Claim } from './claims.ts'

export interface ClaimResult {
  readonly passed: number
  readonly failed: number
}

const root = join(import.meta.dirname, '../..')

export async function runClaim(claim: Claim): Promise<ClaimResult> {
  const title = `\n── ${claim.claim} (${claim.name})`
  const startedAt = performance.now()
  let result: ClaimResult
  if (claim.waits) {
    const said: string[] = []
    result = await runCommand(claim.command, said)
    // In one piece: another claim may be speaking meanwhile.
    console.log(`${title}\n${said.join('').trimEnd()}`)
  } else {
    console.log(title)
    result = claim.countsTests ? await runTests(claim.command) : await runCommand(claim.command)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(result.failed === 0 ? `   holds, ${seconds} s` : `   DOES NOT HOLD, ${seconds} s`)
  return result
}

async function runCommand(command: readonly string[], said?: string[]): Promise<ClaimResult> {
  const exitCode = await run(command, said)
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function runTests(command: readonly string[]): Promise<ClaimResult> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-check-'))
  const report = join(folder, 'report.json')
  try {
    const exitCode = await run([
      ...command,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    const { numPassedTests, numFailedTests } = parseReport(await readFile(report, 'utf8').catch(() => '{}'))
    // A file that fails to load has no failed test in it, so the exit code has the last word.
    const failed = exitCode === 0 ? numFailedTests : Math.max(1, numFailedTests)
    if (numPassedTests + failed === 0) return { passed: 0, failed: 1 }
    return { passed: numPassedTests, failed }
  } finally {
    await rm(folder, { recursive: true })
  }
}

function parseReport(text: string): { numPassedTests: number; numFailedTests: number } {
  const report: Readonly<Record<string, unknown>> = JSON.parse(text)
  const count = (name: string) => Number(report[name] ?? 0)
  return { numPassedTests: count('numPassedTests'), numFailedTests: count('numFailedTests') }
}

/** What it says is printed, or gathered. */
function run([program, ...args]: readonly string[], said?: string[]): Promise<number> {
  if (program === undefined) throw new Error('a claim needs a command')
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: said === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => said?.push(text))
    }
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
