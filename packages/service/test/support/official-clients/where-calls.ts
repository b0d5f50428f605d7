// Every operator of `where`, compared with a filter of the objects in memory.
import { deepEqual } from 'node:assert/strict'
import type { WhereClause } from '@osdk/api'
import { flights, flightType, type Flight, type OfficialCall } from './flight-world.ts'

type Clause = Readonly<Record<string, unknown>>

const operators: readonly (readonly [clause: Clause, fits: (flight: Flight) => boolean])[] = [
  [{}, () => true],
  [{ delay: 3 }, ({ delay }) => delay === 3],
  [{ delay: { $eq: 3 } }, ({ delay }) => delay === 3],
  [{ delay: { $ne: 3 } }, ({ delay }) => delay !== 3],
  [{ delay: { $lt: 2 } }, ({ delay }) => delay !== undefined && delay < 2],
  [{ delay: { $lte: 2 } }, ({ delay }) => delay !== undefined && delay <= 2],
  [{ delay: { $gt: 4 } }, ({ delay }) => delay !== undefined && delay > 4],
  [{ delay: { $gte: 4 } }, ({ delay }) => delay !== undefined && delay >= 4],
  [{ delay: { $in: [1, 5] } }, ({ delay }) => delay === 1 || delay === 5],
  [{ delay: { $isNull: true } }, ({ delay }) => delay === undefined],
  [{ delay: { $isNull: false } }, ({ delay }) => delay !== undefined],
  [{ late: true }, ({ late }) => late],
  [{ late: { $ne: true } }, ({ late }) => !late],
  [{ tail: 'D-B/2' }, ({ tail }) => tail === 'D-B/2'],
  [{ load: { $gt: 0.5 } }, ({ load }) => load > 0.5],
  [{ day: { $lte: '2026-01-03' } }, ({ day }) => day <= '2026-01-03'],
  [{ at: { $gte: '2026-01-01T20:00:00Z' } }, ({ at }) => at >= '2026-01-01T20:00:00Z'],
  [{ miles: { $eq: '9007199254740993' } }, ({ miles }) => miles === '9007199254740993'],
  [{ price: { $lt: '3' } }, ({ price }) => Number(price) < 3],
  [{ note: { $startsWith: 'hel' } }, () => true],
  [{ note: { $startsWith: 'world' } }, () => true],
  [{ note: { $startsWith: 'orld' } }, () => false],
  [{ note: { $containsAllTerms: '7 hello' } }, ({ note }) => note.endsWith(' 7')],
  [{ note: { $containsAnyTerm: '7 nothing 8' } }, ({ note }) => / [78]$/.test(note)],
  [{ note: { $containsAllTermsInOrder: 'world 7' } }, ({ note }) => note.endsWith(' 7')],
  [{ note: { $containsAllTermsInOrder: '7 world' } }, () => false],
  [{ stops: { $contains: 4 } }, ({ stops }) => stops.includes(4)],
  [{ pilot: { LAST: { $eq: 'L1' } } }, ({ pilot }) => pilot.LAST === 'L1'],
  [{ delay: 1, tail: 'D-A' }, ({ delay, tail }) => delay === 1 && tail === 'D-A'],
  [{ $and: [{ delay: 1 }, { late: false }] }, ({ delay, late }) => delay === 1 && !late],
  [{ $or: [{ delay: 1 }, { tail: 'D-A' }] }, ({ delay, tail }) => delay === 1 || tail === 'D-A'],
  [{ $not: { delay: 1 } }, ({ delay }) => delay !== 1],
  [{ $not: { $or: [{ late: true }, { delay: 1 }] } }, ({ delay, late }) => !late && delay !== 1],
]

/** Numbers for types that the compiler of the client gives as numbers and the service sends as text. */
const asNumbers: typeof operators = [
  [{ miles: { $gt: 1_000 } }, () => true],
  [{ price: { $lt: 3 } }, ({ price }) => Number(price) < 3],
]

export const whereCalls: readonly OfficialCall[] = [...operators, ...asNumbers].map(([clause, fits]) => ({
  name: `where ${JSON.stringify(clause)}`,
  make: async ({ client }) => {
    const found: unknown[] = []
    const set = client(flightType).where(clause as WhereClause<typeof flightType>)
    for await (const { $primaryKey } of set.asyncIter()) found.push($primaryKey)
    found.sort((a, b) => Number(a) - Number(b))
    deepEqual(
      found,
      flights.filter(fits).map(({ number }) => number),
    )
  },
}))
