import { expect, it } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { streamTurns } from './stream-turns.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const patient = () => new AbortController().signal

/** Takes turns in this order, and notes who has one. */
function queue(places: number) {
  const turns = streamTurns(places, () => 0)
  const served: string[] = []
  const ends: (() => void)[] = []
  return {
    served,
    enter: (subject: string) =>
      void turns.take(subject, patient()).then((end) => [served.push(subject), ends.push(end)]),
    endFirst: async () => {
      ends.shift()?.()
      await Promise.resolve()
    },
    turns,
  }
}

it('P266: only some streams read at a time, and a caller with few of them does not wait for those of another', async () => {
  const { served, enter, endFirst } = queue(3)
  for (const subject of ['a', 'a', 'a', 'a', 'a']) enter(subject)
  await Promise.resolve()
  expect(served).toEqual(['a', 'a'])
  for (const subject of ['b', 'b']) enter(subject)
  await Promise.resolve()
  expect(served).toEqual(['a', 'a', 'b'])
  await endFirst()
  await Promise.resolve()
  expect(served).toEqual(['a', 'a', 'b', 'a'])
  await endFirst()
  await Promise.resolve()
  expect(served.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b'])
  for (let i = 0; i < 6; i += 1) await endFirst()
  expect(served.toSorted()).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'b'])
})

it('a turn that is ended twice frees one place', async () => {
  const { turns } = queue(2)
  const end = await turns.take('a', patient())
  end()
  end()
  await turns.take('a', patient())
  let isIn = false
  void turns.take('a', patient()).then(() => (isIn = true))
  await Promise.resolve()
  await Promise.resolve()
  expect(isIn).toBe(false)
})

it('P266: who waits longer than a page may take is told to come back, and who leaves gives up its place in the queue', async () => {
  const { turns } = queue(2)
  const end = await turns.take('a', patient())
  await turns.take('b', patient())
  const late = new AbortController()
  const gone = new AbortController()
  const waits = [turns.take('a', late.signal), turns.take('b', gone.signal)]
  late.abort(new ServiceError('ScanTimedOut', {}))
  gone.abort(new Error('gone'))
  await expect(waits[0]).rejects.toMatchObject(errorNamed('Overloaded', { retryAfterSeconds: 1 }))
  await expect(waits[1]).rejects.toThrow('gone')
  end()
  await expect(turns.take('c', patient())).resolves.toBeTypeOf('function')
})
