// Runs examples/nightly-sync.sh as cron does, against a real service. docs/copy/notebooks-and-pipelines.md shows it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtProgram } from '../packages/octavo/bundle/built-program.ts'
import { isInstalled, needing } from '../packages/cli/test/support/terminal.ts'
import { employees, examplesFolder, serveExamples, type ServedExamples } from './examples/served-examples.ts'

describe.skipIf(!isInstalled('flock'))(`nightly-sync.sh${needing('flock')}`, () => {
  let served: ServedExamples
  const nightly = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    served.runProgram('sh', [join(examplesFolder, 'nightly-sync.sh'), ...words], {
      PATH: `${served.folder}:${process.env['PATH']}`,
      ...environment,
    })
  const copy = () => join(served.folder, 'copy.sqlite')
  const inCopy = (statement: string): unknown => {
    const database = new DatabaseSync(copy())
    try {
      return database.prepare(statement).get()
    } finally {
      database.close()
    }
  }
  beforeAll(async () => {
    served = await serveExamples()
    const script = `#!/bin/sh\nexec '${process.execPath}' '${builtProgram('octavo')}' "$@"\n`
    writeFileSync(join(served.folder, 'octavo'), script, { mode: 0o755 })
  })

  afterAll(() => served.close())

  it('brings the copy up to date, proves it, and says when', async () => {
    const first = await nightly(['copy.sqlite', 'employee'])
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(inCopy('select count(*) as n from employee')).toEqual({ n: 3_500 })
    expect(readFileSync(`${copy()}.verified`, 'utf8')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/)
    rmSync(`${copy()}.verified`)
    await served.load('employee', [{ ...employees[0], fullName: 'Changed' }])
    expect(await nightly(['copy.sqlite', 'employee'])).toMatchObject({ code: 0, err: '' })
    expect(inCopy('select "fullName" as name from employee where "employeeId" = 1')).toEqual({
      name: 'Changed',
    })
    expect(readFileSync(`${copy()}.verified`, 'utf8')).toContain('T')
  })

  it('does nothing while another run is at work', async () => {
    const holder = spawn('flock', ['--no-fork', `${copy()}.lock`, 'sh', '-c', 'echo held; exec sleep 60'])
    try {
      await once(holder.stdout, 'data')
      const end = await nightly(['copy.sqlite', 'employee'])
      expect([end.code, end.out, end.err]).toEqual([75, '', expect.stringContaining('is still at work')])
    } finally {
      holder.kill()
      await once(holder, 'exit')
    }
  })

  it('fails with the code that says how', async () => {
    expect(await nightly(['copy.sqlite'])).toMatchObject({ code: 2, err: expect.stringContaining('usage:') })
    const away = await nightly(['copy.sqlite', 'employee'], { OCTAVO_TOKEN: 'wrong' })
    expect(away).toMatchObject({ code: 1, err: expect.stringContaining('was not brought up to date') })
    rmSync(`${copy()}.verified`)
    inCopy(`update employee set "fullName" = 'Other' where "employeeId" = 7`)
    const wrong = await nightly(['copy.sqlite', 'employee'])
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('was not proven')])
    expect(`${wrong.out}${wrong.err}`).toContain('7')
    expect(() => readFileSync(`${copy()}.verified`)).toThrow('ENOENT')
  })
})
