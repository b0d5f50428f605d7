import { expect, it } from 'vitest'
import { pauseBeforeStart } from './keep-workers.ts'

it('starts a worker again at once, and waits longer each time it dies at once again', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 2_000].map(pauseBeforeStart)).toEqual([0, 0, 1, 2, 4, 8, 16, 30, 30, 30])
})
