import { expect, it } from 'vitest'
import { checkSnapshot } from './page-clock.ts'

const clock = { version: '12', floor: '7', live: '3', tag: 'a1', snapshotLive: '2' }

it('finds a snapshot readable above the floor and exactly at it', () => {
  expect(checkSnapshot(clock, { version: '9', tag: 'a1' })).toBe('readable')
  expect(checkSnapshot(clock, { version: '7', tag: 'a1' })).toBe('readable')
})

it('finds a snapshot gone below the floor, although its commit is still kept', () => {
  expect(checkSnapshot(clock, { version: '6', tag: 'a1' })).toBe('gone')
})

it('compares versions as numbers, also beyond what a double can hold', () => {
  expect(checkSnapshot({ ...clock, floor: '10' }, { version: '9', tag: 'a1' })).toBe('gone')
  const floor = '9007199254740993'
  const later = { ...clock, version: '9007199254740994' }
  expect(checkSnapshot({ ...later, floor }, { version: '9007199254740992', tag: 'a1' })).toBe('gone')
  expect(checkSnapshot({ ...later, floor }, { version: floor, tag: 'a1' })).toBe('readable')
})

it('finds a snapshot gone where its version has not arrived, whatever the commits say', () => {
  expect(checkSnapshot(clock, { version: '12', tag: 'a1' })).toBe('readable')
  expect(checkSnapshot(clock, { version: '13', tag: 'a1' })).toBe('gone')
})

it('finds a snapshot gone when its version is now that of another commit, or of none', () => {
  expect(checkSnapshot(clock, { version: '9', tag: 'b2' })).toBe('gone')
  expect(checkSnapshot({ ...clock, tag: null }, { version: '9', tag: 'a1' })).toBe('gone')
  expect(checkSnapshot({ ...clock, tag: null }, { version: '9', tag: null })).toBe('gone')
})
