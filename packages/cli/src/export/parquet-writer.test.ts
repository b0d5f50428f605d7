import type { PropertyType, ScalarType, StructType } from '@octavo/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readParquet } from '../../test/support/read-parquet.ts'
import type { ExportTarget } from './export-target.ts'
import type { Properties } from './object-line.ts'
import { parquetWriter, rowGroupSize } from './parquet-writer.ts'

const all = {
  string: 'string',
  boolean: 'boolean',
  integer: 'integer',
  long: 'long',
  double: 'double',
  decimal: 'decimal',
  date: 'date',
  timestamp: 'timestamp',
} as const satisfies Record<ScalarType, ScalarType>

const components = Object.fromEntries(Object.entries(all).map(([name, type]) => [name, { type }]))
const component = (name: string, type: ScalarType): StructType['struct'] => ({ [name]: { type } })

/** Every type, alone, in an array, in a struct and in an array of structs; and names that JavaScript or Parquet could mistake. */
const types: Readonly<Record<string, PropertyType>> = {
  id: 'long',
  ...all,
  ...Object.fromEntries(Object.entries(all).map(([name, type]) => [`${name}s`, { array: type }])),
  everything: { struct: { ...components, ...component('constructor', 'string') } },
  'every.thing': {
    array: { struct: { ...components, element: { type: 'integer' }, list: { type: 'long' } } },
  },
  ...Object.fromEntries([['toString', 'string' as const]]),
}
const properties = new Map(Object.entries(types))
const facts = { apiName: 'thing', primaryKey: 'id', properties }

const usually = <Value>(some: readonly Value[], any: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...some) }, { weight: 2, arbitrary: any })

const time = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

const values: Readonly<Record<ScalarType, fc.Arbitrary<unknown>>> = {
  string: usually(
    [
      '',
      ' ',
      '\uFEFFmark',
      'null',
      '\u{1F469}\u{1F3FD}\u200D\u{1F680}',
      'a'.repeat(100),
      '\uD7FF\uE000\u{10FFFF}',
    ],
    fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  ),
  boolean: fc.boolean(),
  integer: usually([0, -1, 2_147_483_647, -2_147_483_648], fc.integer()),
  long: usually(
    ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'],
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  ),
  double: usually(
    [0, -0, 5e-324, Number.MAX_VALUE, -Number.MAX_VALUE, 0.1],
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  ),
  decimal: usually(
    [
      '0',
      '-0.00',
      '12.50',
      '99999999999999999999999999999999999999',
      '0.00000000000000000000000000000000000001',
    ],
    fc
      .tuple(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat(99_999_999))
      .map(([whole, part]) => `${whole}.${part}`),
  ),
  date: usually(
    ['0001-01-01', '9999-12-31', '1969-12-31', '1970-01-01', '2000-02-29'],
    time.map((text) => text.slice(0, 10)),
  ),
  timestamp: usually(
    [
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999Z',
      '1969-12-31T23:59:59.999999Z',
      '1970-01-01T00:00:00.000001Z',
    ],
    fc
      .tuple(time, fc.nat(999_999))
      .map(([text, micros]) =>
        `${text.slice(0, 19)}.${String(micros).padStart(6, '0')}`.replace(/[.]?0*$/, 'Z'),
      ),
  ),
}

function valueOf(type: PropertyType): fc.Arbitrary<unknown> {
  if (typeof type === 'string') return values[type]
  if ('array' in type) return fc.array(valueOf(type.array), { maxLength: 4 })
  const components = Object.entries(type.struct).map(([name, { type }]) => [name, values[type]] as const)
  return fc.record(Object.fromEntries(components), { requiredKeys: [] })
}

const object = fc.record(
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, valueOf(type)])),
  { requiredKeys: ['id'] },
)

async function written(objects: readonly Properties[], size = rowGroupSize(1)) {
  const chunks: Uint8Array[] = []
  const target: ExportTarget = {
    write: async (bytes) => void chunks.push(Buffer.from(bytes as Uint8Array)),
    bytes: () => chunks.reduce((sum, { length }) => sum + length, 0),
  }
  const writer = parquetWriter(facts, target, size)
  await writer.begin()
  for (let at = 0; at < objects.length; at += 3) {
    await writer.write(objects.slice(at, at + 3).map((each) => ({ properties: each })))
  }
  await writer.end()
  return { bytes: Buffer.concat(chunks), writes: chunks.length }
}

const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]))
}

it('the values that are read back are those that were written, whatever the values and the row groups', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(object, { maxLength: 40 }),
      fc.integer({ min: 1, max: 50 }),
      async (objects, groupObjects) => {
        const { bytes } = await written(objects, { objects: groupObjects, bytes: 10_000 })
        const read = await readParquet(bytes, properties)
        expect(read.objects).toStrictEqual(objects.map(plain))
        expect(read.metadata.num_rows).toBe(BigInt(objects.length))
      },
    ),
    { numRuns: 200 },
  )
}, 120_000)

describe('a row group', () => {
  const objects = Array.from({ length: 10 }, (_, id) => ({ id: String(id), string: 'x'.repeat(100) }))

  it('is written when it is full, and all of them are in one file', async () => {
    const { bytes, writes } = await written(objects, { objects: 4, bytes: 1_000_000 })
    const { metadata } = await readParquet(bytes, properties)
    expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([4n, 4n, 2n])
    expect(writes).toBe(4)
  })

  it('is full when its values are large, also if they are few', async () => {
    const { bytes } = await written(objects, { objects: 100, bytes: 300 })
    const { metadata } = await readParquet(bytes, properties)
    expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([3n, 3n, 3n, 1n])
  })

  it('is smaller if several files are written side by side', () => {
    expect(rowGroupSize(4).bytes).toBe(rowGroupSize(1).bytes / 4)
  })
})

it('a file without objects has the columns', async () => {
  const { metadata, objects } = await readParquet((await written([])).bytes, properties)
  expect(objects).toEqual([])
  expect(metadata.schema.filter(({ name }) => properties.has(name)).length).toBeGreaterThanOrEqual(
    properties.size,
  )
})

describe('what does not fit is refused by its name', () => {
  it.each([
    ['long', '9223372036854775808'],
    ['long', 1],
    ['integer', 2_147_483_648],
    ['integer', 0.5],
    ['date', '+010000-01-01'],
    ['date', '2021-02-30'],
    ['timestamp', '+292278-01-01T00:00:00Z'],
    ['timestamp', '2021-05-01T00:00:00.0000001Z'],
    ['timestamp', '2021-05-01T00:00:00+02:00'],
    ['decimal', 0.1],
    ['boolean', 'true'],
    ['string', 7],
    ['double', '0.1'],
    ['longs', '7'],
    ['longs', ['x']],
    ['everything', { long: 'x' }],
    ['everything', { unknown: 'x' }],
    ['everything', []],
  ] as const)('%s %j', async (name, value) => {
    await expect(written([{ id: '7', [name]: value }])).rejects.toThrow(
      `The property ${name} of thing 7 cannot be written to Parquet as`,
    )
  })

  it('a property that the type has got meanwhile', async () => {
    await expect(written([{ id: '7', later: 1 }])).rejects.toThrow(
      'thing has got the property later since this export began: run the command again.',
    )
  })
})
