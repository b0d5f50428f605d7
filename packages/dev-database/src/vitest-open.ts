// Opens what the tests of a file share, without a variable, a hook that fills it and a hook that closes it.
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

interface Closing {
  readonly close?: () => unknown
  readonly drop?: () => unknown
  readonly stop?: () => unknown
}

/**
 * The returned object has the fields of what `open` returns once hooks and tests run, not before: do not take it apart at the top of a
 * file. The last one opened is closed first, by its own `close`, `drop` or `stop` if it has one.
 */
const opening =
  (before: typeof beforeAll | typeof beforeEach, after: typeof afterAll | typeof afterEach) =>
  <T extends object>(open: () => Promise<T>): T => {
    const shared = {} as T
    let opened: (T & Closing) | undefined
    before(async () => {
      opened = await open()
      for (const name of Object.keys(shared)) Reflect.deleteProperty(shared, name)
      Object.assign(shared, opened)
    })
    after(async () => {
      const { close, drop, stop } = opened ?? {}
      opened = undefined
      await (close ?? drop ?? stop)?.()
    })
    return shared
  }

/** Opened once for the tests of the file, or of the `describe` around it. */
export const forAllTests = opening(beforeAll, afterAll)

/** Opened again for each test, as the same object with other fields: not for what is remembered by its identity. */
export const forEachTest = opening(beforeEach, afterEach)
