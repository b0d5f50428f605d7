import { createHash } from 'node:crypto'
import { objectTypeDefinitionSchema } from '@octavo/protocol'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { aviationTypes } from './aviation-definitions.ts'
import { aviationCounts, aviationObjects, type AviationObjects } from './aviation-objects.ts'

const types = ['airport', 'aircraft', 'person', 'flight'] as const

const hashOf = (objects: AviationObjects): string => {
  const hash = createHash('sha256')
  for (const type of types) for (let i = 0; i < 100; i += 1) hash.update(JSON.stringify(objects[type](i)))
  return hash.digest('hex').slice(0, 12)
}

it('the same seed makes the same objects, another seed makes others', () => {
  const counts = aviationCounts(10_000)
  expect(hashOf(aviationObjects(1, counts))).toBe(hashOf(aviationObjects(1, counts)))
  expect(hashOf(aviationObjects(1, counts))).not.toBe(hashOf(aviationObjects(2, counts)))
})

it('there are as many objects as were asked for, from a handful to ten millions', () => {
  for (const objects of [4, 100, 100_000, 10_000_000]) {
    const counts = aviationCounts(objects)
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(objects)
  }
})

it('keys are unique, and what names another object names one that exists', () => {
  const counts = aviationCounts(20_000)
  const objects = aviationObjects(7, counts)
  const keys = Object.fromEntries(
    types.map((type) => [
      type,
      new Set(
        Array.from({ length: counts[type] }, (_, i) => objects[type](i)[aviationTypes[type].primaryKey]),
      ),
    ]),
  )
  for (const type of types) expect(keys[type]?.size).toBe(counts[type])
  for (let i = 0; i < counts.flight; i += 1) {
    const { registration, origin, destination, captainId, crewIds } = objects.flight(i)
    expect(keys['aircraft']?.has(registration)).toBe(true)
    expect(keys['airport']?.has(origin)).toBe(true)
    expect(keys['airport']?.has(destination)).toBe(true)
    expect(origin).not.toBe(destination)
    for (const id of [captainId, ...(crewIds as readonly string[])])
      expect(keys['person']?.has(id)).toBe(true)
  }
})

it('the definitions are definitions, and the objects have no other properties', () => {
  const objects = aviationObjects(1, aviationCounts(1_000))
  for (const type of types) {
    const definition = aviationTypes[type]
    expect(Value.Check(objectTypeDefinitionSchema, definition)).toBe(true)
    for (let i = 0; i < 50; i += 1) {
      for (const name of Object.keys(objects[type](i)))
        expect(Object.keys(definition.properties)).toContain(name)
    }
  }
})
