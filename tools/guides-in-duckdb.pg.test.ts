// Types the SQL of the guide and of examples/ that is for DuckDB, with files that the commands beside it have made, and compares the answers with
// the objects.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aviationCounts, aviationObjects, aviationTypes } from '../packages/cli/test/inside.ts'
import { needingDuckdb, openDuckdb, type Duckdb } from '../packages/cli/test/support/duckdb.ts'
import { employees, examplesFolder, serveExamples, type ServedExamples } from './examples/served-examples.ts'

const objects = aviationObjects(1, aviationCounts(10_000))
const airports = Array.from({ length: 60 }, (_, i) => objects.airport(i))
const aircraft = Array.from({ length: 400 }, (_, i) => objects.aircraft(i))

/** The blocks of the guide that this file runs. */
const guide = 'docs/copy/notebooks-and-pipelines.md'
const [ofParquet = '', ofChanges = ''] = [
  ...readFileSync(join(import.meta.dirname, '..', guide), 'utf8').matchAll(
    /^<!-- run by tools\/guides-in-duckdb.pg.test.ts -->\n\n```sql\n(.*?)^```$/gms,
  ),
].map(([, text = '']) => text)

describe.skipIf(needingDuckdb !== '')(`in DuckDB${needingDuckdb}`, () => {
  let served: ServedExamples
  let duckdb: Duckdb

  beforeAll(async () => {
    served = await serveExamples()
    await served.declare(aviationTypes.airport)
    await served.declare(aviationTypes.aircraft)
    await served.load('airport', airports)
    await served.load('aircraft', aircraft)
    duckdb = await openDuckdb()
    await duckdb.run(`set file_search_path = '${served.folder}'`)
  })
  afterAll(async () => {
    duckdb.close()
    await served.close()
  })

  const file = () => join(served.folder, 'employee-stream.ndjson')
  const statements = () =>
    readFileSync(join(examplesFolder, 'duckdb-stream.sql'), 'utf8').replace(
      "'employee.ndjson'",
      `'${file()}'`,
    )

  it('duckdb-stream.sql makes a table of the stream, and refuses one that was cut', async () => {
    const { OCTAVO_TOKEN: token = '' } = served.environment
    const answer = await fetch(`${served.url}/api/served/v1/objects/types/employee/export`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: '{}',
    })
    const stream = await answer.text()
    writeFileSync(file(), stream)
    const found = await duckdb.run(statements())
    expect(found.map(({ department }) => department)).toEqual([
      'Archive',
      'Bindery',
      'Catalogue',
      'Loans',
      'Maps',
      'Reading room',
    ])
    expect(found[4]).toEqual({ department: 'Maps', employees: '582', since: '2009-05-04' })
    const rows = await duckdb.rows('select to_json(e)::text as object from employee as e order by employeeId')
    const read = rows.map(({ object }) => withoutNull(JSON.parse(String(object))))
    expect(read).toEqual(employees)

    const lines = stream.trimEnd().split('\n')
    for (const kept of [lines.slice(0, -1), lines.slice(5), []]) {
      writeFileSync(file(), kept.map((line) => `${line}\n`).join(''))
      await expect(duckdb.run(statements())).rejects.toThrow('The stream was cut')
      await duckdb.run('rollback')
      expect(await duckdb.rows('select count(*)::int as n from employee')).toEqual([{ n: 3_500 }])
    }
  })

  it('several Parquet files are one table', async () => {
    const exported = ['export', 'aircraft', '--partitions', '2', '--out', 'aircraft-{partition}.parquet']
    expect((await served.run(exported)).code).toBe(0)
    const inService = aircraft.filter((each) => each['isInService'] === true)
    const models = [...new Set(inService.map((each) => String(each['model'])))].toSorted()
    expect(models.length).toBeGreaterThan(3)
    expect(await duckdb.run(ofParquet)).toEqual(
      models.map((model) => {
        const ofModel = inService.filter((each) => each['model'] === model)
        const hours = ofModel.reduce((sum, each) => sum + hundredths(String(each['flightHours'])), 0n)
        return {
          model,
          aircraft: String(ofModel.length),
          hours: `${hours / 100n}.${String(hours % 100n).padStart(2, '0')}`,
        }
      }),
    )
  })

  it('changes make a table equal to the later state', async () => {
    const state = await served.run(['snapshot', 'airport'])
    writeFileSync(join(served.folder, 'state'), state.out)
    const whole = ['export', 'airport', '--at', state.out.trim(), '--out', 'airports.ndjson']
    expect((await served.run(whole)).code).toBe(0)
    await served.load('airport', [
      { code: 'ZZZ', name: 'Zell' },
      { code: airports[0]?.['code'], name: 'Changed' },
    ])
    const gone = String(airports[1]?.['code'])
    expect((await served.run(['delete', 'airport', gone, '--yes'])).code).toBe(0)
    const changes = await served.run(['changes', 'airport', '--since', 'state'])
    writeFileSync(join(served.folder, 'changes.ndjson'), changes.out)

    await duckdb.run(ofChanges)
    const rows = await duckdb.rows('select to_json(a)::text as object from airport as a order by code')
    const read = rows.map(({ object }) => withoutNull(JSON.parse(String(object)) as object))
    const now = await served.run(['export', 'airport', '--format', 'ndjson'])
    const expected = now.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { code: string })
    expect(expected).toHaveLength(60)
    expect(expected.map(({ code }) => code)).not.toContain(gone)
    expect(read).toEqual(expected.toSorted((a, b) => (a.code < b.code ? -1 : 1)))
    const last = JSON.parse(changes.out.trimEnd().split('\n').at(-1) ?? '') as { snapshotToken: string }
    expect(await duckdb.rows('select token from state')).toEqual([{ token: last.snapshotToken }])
  })
})

const hundredths = (decimal: string): bigint => {
  const [whole = '', part = ''] = decimal.split('.')
  return BigInt(`${whole}${part.padEnd(2, '0')}`)
}

const withoutNull = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))
