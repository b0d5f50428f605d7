// The matrices are tests; each point runs one of them and counts its assertions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Proof } from '../prove.ts'

const promises = 'packages/service/test/promises'

const points = [
  [
    'A real identity provider: each kind of token gets its right answer',
    'an-identity-provider-lets-its-callers-in',
  ],
  ['Every endpoint answers every kind of caller as it should', 'every-endpoint-for-every-caller'],
  [
    'What is not granted says and costs the same as what does not exist',
    'what-is-not-granted-does-not-exist',
  ],
] as const

export async function proveTests(proof: Proof): Promise<void> {
  for (const [sentence, file] of points) {
    await proof.point(sentence, () => showTests(proof, `${promises}/${file}.pg.test.ts`))
  }
}

interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

async function showTests({ say }: Proof, file: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-prove-'))
  try {
    const output = join(folder, 'report.json')
    const child = spawn('npx', ['vitest', 'run', file, '--reporter=json', `--outputFile=${output}`], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: 'ignore',
    })
    await once(child, 'exit')
    const report = JSON.parse(readFileSync(output, 'utf8')) as Report
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    for (const { title, status } of tests) say(`${status}: ${title}`)
    const failed = tests.filter(({ status }) => status !== 'passed').map(({ title }) => title)
    expect(tests.length > 0, 'no test ran')
    expect(failed.length === 0, `failed: ${failed.join('; ')}`)
    return `${report.numPassedTests} of ${report.numTotalTests} tests passed`
  } finally {
    rmSync(folder, { recursive: true })
  }
}
