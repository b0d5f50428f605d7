// Runs the recipes in Python of examples/ against a real service, and compares what they make with what it has.
// docs/copy/notebooks-and-pipelines.md shows them.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMeddler, type Meddler } from './examples/meddler.ts'
import { employees, examplesFolder, serveExamples, type ServedExamples } from './examples/served-examples.ts'
import { defineType } from '../packages/service/test/support/define-type.ts'

/** Values that a reader rounds if it guesses, and rows in which they are missing. */
const measurements = [
  {
    id: '9007199254740993',
    name: 'Grüße, "Welt"',
    isValid: true,
    count: 2_147_483_647,
    size: 0.1,
    price: '12.50',
    day: '2021-05-01',
    at: '2021-05-01T09:30:00.000001Z',
    tags: ['a', 'b'],
  },
  { id: '9007199254740995' },
  { id: '9223372036854775807', count: -1, price: '99999999999999999999999999999999.000001', isValid: false },
]

let served: ServedExamples
let meddler: Meddler

beforeAll(async () => {
  served = await serveExamples()
  await served.declare(
    defineType('measurement', {
      id: 'long',
      name: 'string',
      isValid: 'boolean',
      count: 'integer',
      size: 'double',
      price: 'decimal',
      day: 'date',
      at: 'timestamp',
      tags: 'string[]',
    }),
  )
  await served.load('measurement', measurements)
  meddler = await startMeddler(served.url)
})
afterAll(async () => {
  await meddler.close()
  await served.close()
})

const objectsIn = (lines: string): readonly unknown[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe('walk_everything.py', () => {
  const walk = (environment: Readonly<Record<string, string>> = {}, type = 'employee') =>
    served.runProgram('python3', [join(examplesFolder, 'walk_everything.py'), 'served', type], environment)

  it('reads every object of one state, exactly', async () => {
    const end = await walk()
    expect([end.code, end.err]).toEqual([0, '3500 objects of employee'])
    expect(objectsIn(end.out)).toEqual(employees)
    expect(objectsIn((await walk({}, 'measurement')).out)).toEqual(measurements)
  })

  it('continues through refusals and broken connections, while others write', async () => {
    const asked: number[] = []
    meddler.at(async (page) => {
      asked.push(page)
      if (page === 2) return 'refuse'
      if (page === 3) {
        await served.load('employee', [{ ...employees[3_400], fullName: 'Changed' }])
        return 'cut'
      }
      return 'pass'
    })
    const end = await walk({ OCTAVO_URL: meddler.url })
    expect([end.code, end.err]).toEqual([0, '3500 objects of employee'])
    expect(objectsIn(end.out)).toEqual(employees)
    // Four pages, two of them asked for again.
    expect(asked).toHaveLength(6)
    await served.load('employee', employees)
  })

  it('fails if an object is lost on its way, and says why it was refused', async () => {
    meddler.at(async (page) => (page === 2 ? 'lose' : 'pass'))
    const lost = await walk({ OCTAVO_URL: meddler.url })
    expect([lost.code, lost.err]).toEqual([1, '3499 objects were received, but the state has 3500.'])
    const refused = await walk({ OCTAVO_TOKEN: 'wrong' })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Default:Unauthorized: ')])
  })
})

const python = ['python3', '/usr/bin/python3'].find(
  (each) => spawnSync(each, ['-c', 'import pandas']).status === 0,
)
const needingPandas =
  python === undefined ? ' (skipped: pandas is not installed: .ci/setup --tests does it)' : ''

describe.skipIf(python === undefined)(`pandas_frame.py${needingPandas}`, () => {
  it('has the types of the properties, and every digit', async () => {
    const end = await served.runProgram(python ?? '', [
      join(examplesFolder, 'pandas_frame.py'),
      'served',
      'measurement',
    ])
    expect(end).toMatchObject({ code: 0, err: '' })
    expect(end.out.split('\n').map((line) => line.replace(/ +/, ' '))).toEqual([
      'name string',
      'isValid boolean',
      'count Int32',
      'size Float64',
      'price object',
      'day datetime64[ns]',
      'at datetime64[ns, UTC]',
      'tags object',
      '3 objects of measurement',
      '',
    ])
  })

  it('computes with what it has', async () => {
    const program = `
import sys; sys.path.insert(0, '${examplesFolder}')
from pandas_frame import frame
m = frame('served', 'measurement')
print(list(m.index), m['count'].sum(), m['price'].dropna().sum(), m['at'].isna().sum())
print(m['name'].iloc[0], m['tags'].iloc[0], m['at'].iloc[0].isoformat(), m['isValid'].isna().sum())
e = frame('served', 'employee')
print(len(e), e['startedOn'].isna().sum(), e.groupby('department').size().to_dict())
print(len(frame('served', 'employee', query={'type': 'eq', 'field': 'department', 'value': 'Maps'})))
`
    const of = (department: string) => employees.filter((each) => each['department'] === department).length
    const counts = ['Archive', 'Bindery', 'Catalogue', 'Loans', 'Maps', 'Reading room']
      .map((department) => `'${department}': ${of(department)}`)
      .join(', ')
    expect(await served.runProgram(python ?? '', ['-c', program])).toEqual({
      code: 0,
      err: '',
      out: `[9007199254740993, 9007199254740995, 9223372036854775807] 2147483646 100000000000000000000000000000011.500001 2
Grüße, "Welt" ['a', 'b'] 2021-05-01T09:30:00.000001+00:00 1
3500 700 {${counts}}
${of('Maps')}
`,
    })
  })
})
