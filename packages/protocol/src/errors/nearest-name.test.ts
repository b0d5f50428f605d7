import { expect, it } from 'vitest'
import { nameHelp, nearestName, nearestNames } from './nearest-name.ts'

const types = ['aircraft', 'airport', 'flight', 'maintenanceEvent', 'com.example.person']

it.each([
  ['flihgt', 'flight'],
  ['flights', 'flight'],
  ['Flight', 'flight'],
  ['fligt', 'flight'],
  ['airports', 'airport'],
  ['aircaft', 'aircraft'],
  ['maintenance_event', 'maintenanceEvent'],
  ['com.exmaple.person', 'com.example.person'],
])('%s was meant to be %s', (wanted, meant) => {
  expect(nearestName(wanted, types)).toBe(meant)
})

it.each(['employee', 'x', '', 'fl', 'toString', 'flight'.repeat(20)])('nothing is like %j', (wanted) => {
  expect(nearestName(wanted, types)).toBeUndefined()
})

it('short names are near only to themselves and to one that is swapped or added to', () => {
  const operators = ['eq', 'neq', 'lt', 'lte', 'gt', 'gte']
  expect(nearestName('EQ', operators)).toBe('eq')
  expect(nearestName('get', operators)).toBe('gt')
  expect(nearestName('in', operators)).toBeUndefined()
})

it('of several that are as near the first is taken, and each is offered once', () => {
  expect(nearestName('aa', ['ab', 'aA'])).toBe('aA')
  expect(nearestNames(['flihgt', 'fligth', 'none'], types)).toEqual(['flight'])
})

it('at most 20 names are offered, and how many more there are', () => {
  const names = Array.from({ length: 25 }, (_, i) => `name${i}`)
  expect(nameHelp(['nmae7'], names)).toEqual({ didYouMean: ['name7'], known: names.slice(0, 20), more: 5 })
  expect(nameHelp(['colour'], names.slice(0, 20))).toEqual({ known: names.slice(0, 20) })
})

it('a long text beside many long names costs little', () => {
  const names = Array.from({ length: 5_000 }, (_, i) => `${'n'.repeat(250)}${i}`)
  const before = process.threadCpuUsage()
  expect(
    nearestNames(
      Array.from({ length: 1_000 }, () => 'n'.repeat(300)),
      names,
    ),
  ).toEqual([])
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_000)
})
