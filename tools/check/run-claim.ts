import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Claim } from './claims.ts'
import type { ClaimOutcome } from './closing-lines.ts'
import { watchForStandstill } from './standstill.ts'
import { testOutcome, type Attempt } from './test-outcome.ts'

const root = join(import.meta.dirname, '../..')

/**
 * How often a claim is tried that fails while the machine stands still: such a failure says little about the claim. What a compiler
 * or a linter reads is the same at any speed.
 */
const mostTriesOf = ({ size, countsTests }: Claim): number =>
  size === 'quick' && countsTests !== true ? 1 : 3

export interface ClaimRun {
  /** In one piece, because another claim may print at the same time. */
  readonly printsAtEnd?: boolean
  /** Of claims that count tests, only this part of the files. */
  readonly shard?: string | undefined
}

export async function runClaim(claim: Claim, how: ClaimRun = {}): Promise<ClaimOutcome> {
  const startedAt = performance.now()
  let attempt: Attempt = { passed: 0, failed: 1 }
  const retried = new Set<string>()
  const mostTries = mostTriesOf(claim)
  for (let tries = 1; attempt.failed > 0 && tries <= mostTries; tries += 1) {
    const standstill = watchForStandstill()
    attempt = await runOnce(claim, attempt.rest, how)
    const seconds = standstill.longestSeconds()
    standstill.end()
    if (attempt.failed === 0 || seconds === undefined || tries === mostTries) break
    console.log(
      `   does not hold, but the machine was stalled meanwhile, for up to ${seconds.toFixed(1)} s: retrying`,
    )
    for (const name of attempt.rest?.failed ?? [claim.name]) retried.add(name)
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(
    attempt.failed === 0
      ? `   ${claim.name} holds, ${seconds} s`
      : `   ${claim.name} DOES NOT HOLD, ${seconds} s`,
  )
  const { passed, failed, why = [] } = attempt
  return { name: claim.name, passed, failed, why, retried: [...retried] }
}

async function runOnce(
  claim: Claim,
  rest: Attempt['rest'],
  { printsAtEnd, shard }: ClaimRun,
): Promise<Attempt> {
  const title = `\n── ${claim.claim} (${claim.name})`
  if (printsAtEnd) {
    const said: string[] = []
    const result = await runCommand(claim.command, (text) => said.push(text))
    console.log(`${title}\n${said.join('').trimEnd()}`)
    return result
  }
  console.log(title)
  // What is left to retry is in the shard anyway.
  const part = shard !== undefined && rest === undefined ? [`--shard=${shard}`] : []
  return claim.countsTests
    ? runTests([...claim.command, ...part], rest)
    : runCommand(claim.command, (text) => process.stdout.write(text))
}

/** How much of the output of a failed command is said again at the end of a check. */
const linesSaidAgain = 20

async function runCommand(command: readonly string[], print: (text: string) => unknown): Promise<Attempt> {
  let end = ''
  const exitCode = await run(command, (text) => {
    print(text)
    end = (end + text).slice(-10_000)
  })
  if (exitCode === 0) return { passed: 1, failed: 0 }
  return { passed: 0, failed: 1, why: end.trimEnd().split('\n').slice(-linesSaidAgain) }
}

async function runTests(command: readonly string[], rest: Attempt['rest']): Promise<Attempt> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-check-'))
  const report = join(folder, 'report.json')
  try {
    const exitCode = await run([
      ...command,
      ...(rest?.files ?? []),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ])
    return testOutcome(exitCode, await readFile(report, 'utf8').catch(() => '{}'), rest?.passed ?? 0)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The output goes to `take`, or is printed as it is. */
function run([program, ...args]: readonly string[], take?: (text: string) => void): Promise<number> {
  if (program === undefined) throw new Error('a claim needs a command')
  const path = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter)
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: take === undefined ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: path },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => take?.(text))
    }
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}
