// The first hour of a newcomer.
import { proveOneLine } from './first-hour/one-line-starts-it.ts'
import type { Points } from './harness/prove.ts'

export const points: Points = { 'one-line': proveOneLine }
