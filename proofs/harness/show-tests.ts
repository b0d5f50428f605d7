// A point of a proof that is a test file: runs it and counts its assertions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Proof } from './prove.ts'

interface Report {
  readonly numTotalTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

export async function showTests({ say }: Proof, file: string): Promise<string> {
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
