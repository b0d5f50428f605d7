import { aggregateCalls } from './aggregate-calls.ts'
import type { OfficialCall } from './flight-world.ts'
import { pythonCalls } from './python-calls.ts'
import { readingCalls } from './reading-calls.ts'
import { refusalCalls } from './refusal-calls.ts'
import { whereCalls } from './where-calls.ts'

/** What the clients of the API family are used for. */
export const officialCalls: readonly OfficialCall[] = [
  ...readingCalls,
  ...whereCalls,
  ...aggregateCalls,
  ...refusalCalls,
  ...pythonCalls,
]
