import { readFileSync } from 'node:fs'
import { canonicalObject, checksumOf, hashOf, xxh64 } from '@octavo/model'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { unsavedType } from '../../../test/support/unsaved-type.ts'
import { canonicaliseObject } from '../../write/commit/canonicalise-object.ts'
import { contentHash } from './content-hash.ts'
import { defineType, struct, structs } from '../../../test/support/define-type.ts'

interface Vectors {
  readonly objects: readonly {
    readonly object: { readonly primaryKey: string; readonly properties: Readonly<Record<string, unknown>> }
    readonly canonical: string
    readonly hash: string
  }[]
  readonly checksum: string
}

const vectors = JSON.parse(
  readFileSync(new URL('../../../../../docs/reference/checksum-vectors.json', import.meta.url), 'utf8'),
) as Vectors

const definition = defineType(
  'thing',
  {
    texts: 'string[]',
    id: 'string',
    Zebra: 'string',
    text: 'string',
    boolean: 'boolean',
    double: 'double',
    integer: 'integer',
    long: 'long',
    decimal: 'decimal',
    date: 'date',
    timestamp: 'timestamp',
    place: struct({ floor: 'integer', city: 'string' }),
    names: structs({ lastName: 'string', firstName: 'string' }),
  },
  { primaryKey: 'id', titleProperty: 'id' },
)

const unsigned = (hash: bigint) => BigInt.asUintN(64, hash).toString(16).padStart(16, '0')

const storedHash = (properties: Readonly<Record<string, unknown>>, of = definition): string => {
  const made = canonicaliseObject(unsavedType(of), properties)
  if (!('object' in made)) throw new Error(JSON.stringify(made.problems))
  return unsigned(BigInt(made.object.columns.at(-1) ?? ''))
}

it('the reference is XXH64: the values of its specification', () => {
  expect(unsigned(xxh64(''))).toBe('ef46db3751d8e999')
  expect(unsigned(xxh64('abc'))).toBe('44bc2cf5ad770999')
  expect(unsigned(contentHash('abc'))).toBe('44bc2cf5ad770999')
})

it('P250: at least 50 objects of all value types have the hashes of the vectors', () => {
  expect(vectors.objects.length).toBeGreaterThanOrEqual(50)
  for (const { object, canonical, hash } of vectors.objects) {
    expect(canonicalObject(object)).toBe(canonical)
    expect(unsigned(hashOf(object))).toBe(hash)
    expect(storedHash(object.properties)).toBe(hash)
  }
  expect(checksumOf(vectors.objects.map(({ object }) => object))).toBe(vectors.checksum)
})

it('P250: a negative zero is a zero, and a text that looks like one is a text', () => {
  const zero = { id: 'z', double: -0, text: '-0.0' }
  expect(storedHash(zero)).toBe(unsigned(hashOf({ primaryKey: 'z', properties: zero })))
})

it('P250: a primary key of any type is a string, and a type without arrays and structs is hashed the same', () => {
  const numbered: ObjectTypeDefinition = {
    ...definition,
    primaryKey: 'number',
    properties: { text: { type: 'string' }, number: { type: 'integer' } },
  }
  const properties = { text: 'x', number: 7 }
  expect(storedHash(properties, numbered)).toBe(unsigned(hashOf({ primaryKey: '7', properties })))
})
