import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ServiceError } from '../../base/errors/service-error.ts'
import { openAdmission, type AdmissionOptions } from './admission.ts'
import { retryAfter } from './retry-after.ts'
import { errorNamed } from '../../../test/support/named-errors.ts'

const here = new AbortController().signal

/** Pages of 100 bytes and a clock that stands still until the test moves it. */
const admissionWith = (more: Partial<AdmissionOptions> = {}) => {
  let now = 0
  const elapsed = () => now
  const admission = openAdmission({
    places: 2,
    mostWaiting: 100,
    mostMilliseconds: 100,
    retryAfter: retryAfter(() => 0),
    setAsidePlaces: 0,
    roomBytes: 10_000,
    pageBytes: 100,
    setAsideBytes: 0,
    isLate: () => false,
    elapsed,
    ...more,
  })
  return {
    ...admission,
    enter: async (subject: string) => admission.reserve(subject, here),
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

/** What became of each promise once everything that can happen now has happened. */
async function outcomes(...promises: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const seen = promises.map(() => 'waits')
  for (const [i, promise] of promises.entries()) {
    promise.then(
      () => (seen[i] = 'in'),
      (error: { readonly cause?: { readonly reason?: string } }) => (seen[i] = error.cause?.reason ?? 'gone'),
    )
  }
  await new Promise((resolve) => setImmediate(resolve))
  return seen
}

describe('places', () => {
  it('P166: lets in as many as there are places for, and the others of a caller in the order of their coming', async () => {
    const { enter } = admissionWith()
    const [first, second] = [await enter('ada'), await enter('ada')]
    const [third, fourth] = [enter('ada'), enter('ada')]
    expect(await outcomes(third, fourth)).toEqual(['waits', 'waits'])
    first.release()
    expect(await outcomes(third, fourth)).toEqual(['in', 'waits'])
    second.release()
    expect(await outcomes(fourth)).toEqual(['in'])
  })

  it('a page that is read makes place for the next, although its client has not taken it yet', async () => {
    const { enter, counts } = admissionWith({ places: 1 })
    const first = await enter('ada')
    const second = enter('ada')
    first.keep(30)
    expect(await outcomes(second)).toEqual(['in'])
    expect(counts()).toEqual({ working: 1, waiting: 0, bytes: 130 })
    first.release()
    first.release()
    expect(counts()).toEqual({ working: 1, waiting: 0, bytes: 100 })
  })

  it('P166: of several callers that wait, one with nothing at work goes first', async () => {
    const { enter } = admissionWith()
    const [first] = [await enter('greedy'), await enter('greedy')]
    const others = [enter('greedy'), enter('greedy'), enter('quiet')]
    first.release()
    expect(await outcomes(...others)).toEqual(['waits', 'waits', 'in'])
  })

  it('callers with as many at work take turns', async () => {
    const { enter } = admissionWith({ places: 1 })
    const first = await enter('other')
    const waiting = [enter('ada'), enter('ada'), enter('alan'), enter('alan')]
    first.release()
    const order: number[] = []
    await Promise.all(
      waiting.map(async (reservation, i) => {
        const { release } = await reservation
        order.push(i)
        release()
      }),
    )
    expect(order).toEqual([0, 2, 1, 3])
  })

  it('forgets a client that is gone, and gives its place to the next', async () => {
    const { enter, reserve, counts } = admissionWith({ places: 1 })
    const first = await enter('ada')
    const leaving = new AbortController()
    const [gone, next] = [reserve('ada', leaving.signal), enter('ada')]
    leaving.abort()
    expect(counts().waiting).toBe(1)
    await expect(gone).rejects.toThrow('aborted')
    first.release()
    expect(await outcomes(next)).toEqual(['in'])
  })
})

describe('a queue that is too long', () => {
  it('P114, P165: a request that finds it full is refused at once, before any work is done', async () => {
    const { enter, refuseEarly } = admissionWith({ places: 1, mostWaiting: 2 })
    await enter('ada')
    const waiting = [enter('ada'), enter('ada')]
    expect(() => refuseEarly('ada')).toThrow(expect.objectContaining({ errorName: 'Overloaded' }))
    expect(await outcomes(...waiting, enter('ada'))).toEqual(['waits', 'waits', 'queue'])
    await expect(enter('ada')).rejects.toMatchObject(errorNamed('Overloaded', { retryAfterSeconds: 1 }))
  })

  it('P166: a quiet caller is let in, and the one with the most under way loses its newest request', async () => {
    const { enter, refuseEarly } = admissionWith({ places: 1, mostWaiting: 2 })
    const first = await enter('greedy')
    const greedy = [enter('greedy'), enter('greedy')]
    expect(() => refuseEarly('quiet')).not.toThrow()
    const quiet = enter('quiet')
    expect(await outcomes(...greedy, quiet)).toEqual(['waits', 'displaced', 'waits'])
    first.release()
    expect(await outcomes(greedy[0] ?? quiet, quiet)).toEqual(['in', 'waits'])
  })

  it('callers with as little under way do not push each other out', async () => {
    const { enter } = admissionWith({ places: 1, mostWaiting: 2 })
    await enter('ada')
    const waiting = [enter('alan'), enter('grace')]
    expect(await outcomes(...waiting, enter('edsger'))).toEqual(['waits', 'waits', 'queue'])
  })

  it('P114, P165: a request that waits is refused when its time is up, although the queue was not full', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { enter } = admissionWith({ places: 1, mostMilliseconds: 100 })
    await enter('ada')
    const waiting = enter('alan')
    vi.advanceTimersByTime(99)
    expect(await outcomes(waiting)).toEqual(['waits'])
    vi.advanceTimersByTime(1)
    expect(await outcomes(waiting)).toEqual(['waited'])
    await expect(waiting).rejects.toMatchObject({ errorName: 'Overloaded' })
  })
})

describe('a caller within its share', () => {
  it('P166: waits on where the requests of another have waited too long', async () => {
    const { enter } = admissionWith({ places: 4, mostMilliseconds: 20 })
    const [first] = await Promise.all(Array.from({ length: 4 }, () => enter('greedy')))
    const waiting = [enter('greedy'), enter('quiet')]
    await expect(waiting[0]).rejects.toMatchObject({ cause: { reason: 'waited' } })
    expect(await outcomes(...waiting)).toEqual(['waited', 'waits'])
    first?.release()
    expect(await outcomes(...waiting)).toEqual(['waited', 'in'])
  })

  it('P114: is refused too, when no other has more and no place is found for it in time', async () => {
    const { enter } = admissionWith({ places: 2, mostMilliseconds: 20 })
    await Promise.all([enter('ada'), enter('alan')])
    await expect(enter('grace')).rejects.toMatchObject({ cause: { reason: 'waited' } })
  })

  it('P114: is refused too, when the time of its request is up', async () => {
    const { enter, reserve } = admissionWith({ places: 1, mostMilliseconds: 20 })
    await enter('greedy')
    void enter('greedy').catch(() => {})
    const request = new AbortController()
    const waiting = reserve('quiet', request.signal)
    request.abort(new ServiceError('ScanTimedOut', {}))
    await expect(waiting).rejects.toMatchObject({ errorName: 'Overloaded', cause: { reason: 'waited' } })
  })
})

describe('requests of seconds', () => {
  const slow = (count: number) => Array.from({ length: count }, () => 'greedy')

  it('P166: those of one caller leave places for callers that hold none', async () => {
    const { enter } = admissionWith({ places: 8, setAsidePlaces: 2 })
    const greedy = slow(8).map((subject) => enter(subject))
    expect(await outcomes(...greedy)).toEqual([...slow(6).map(() => 'in'), 'waits', 'waits'])
    expect(await outcomes(enter('quiet'), enter('quiet'), enter('other'))).toEqual(['in', 'waits', 'in'])
    expect(await outcomes(enter('third'))).toEqual(['waits'])
  })

  it('P166: one caller sends forty at once, and none of another that sends one at a time waits or is refused', async () => {
    const { enter, pass } = admissionWith({
      places: 8,
      setAsidePlaces: 2,
      mostWaiting: 75,
      mostMilliseconds: 75,
    })
    const work: { readonly endsAt: number; readonly release: () => void }[] = []
    let refused = 0
    let seconds = 0
    const ask = async (subject: string, takes: number): Promise<void> => {
      const { release } = await enter(subject)
      work.push({ endsAt: seconds + takes, release })
    }
    const floods = () => {
      for (const subject of slow(40)) void ask(subject, 12).catch(() => (refused += 1))
    }
    let answered = 0
    for (; seconds < 120; seconds += 1) {
      if (seconds % 10 === 0) floods()
      // A request that had to wait would be there only after the next release: none is in this second.
      expect(await outcomes(ask('quiet', 1))).toEqual(['in'])
      answered += 1
      pass(1_000)
      for (const done of work.filter(({ endsAt }) => endsAt <= seconds + 1)) done.release()
      work.splice(0, work.length, ...work.filter(({ endsAt }) => endsAt > seconds + 1))
    }
    expect(answered).toBe(120)
    expect(refused, 'it is too much to do').toBeGreaterThan(0)
  })

  it('P166: a caller with nothing at work goes before the second request of any other, whatever it has held', async () => {
    const { enter, pass } = admissionWith({ places: 2 })
    const steady = await enter('steady')
    const [first] = [await enter('other')]
    pass(5_000)
    first.release()
    const burst = [enter('burst'), enter('burst')]
    steady.release()
    expect(await outcomes(...burst)).toEqual(['in', 'in'])
    const waiting = [enter('burst'), enter('steady')]
    ;(await burst[0])?.release()
    expect(await outcomes(...waiting)).toEqual(['waits', 'in'])
  })

  it('P166: of callers that hold as little, the one that has held places for the shortest time lately goes first', async () => {
    const { enter, pass } = admissionWith({ places: 1 })
    const long = await enter('long')
    pass(4_000)
    long.release()
    const short = await enter('short')
    pass(40)
    short.release()
    const now = await enter('now')
    const waiting = [enter('long'), enter('short')]
    now.release()
    expect(await outcomes(...waiting)).toEqual(['waits', 'in'])
  })
})

describe('memory', () => {
  it('P114: refuses with Overloaded when no room is found in time, however many places there are', async () => {
    const { enter } = admissionWith({ places: 9, roomBytes: 250, mostMilliseconds: 10 })
    const pages = [await enter('ada'), await enter('ada')]
    for (const { keep } of pages) keep(100)
    await expect(enter('ada')).rejects.toMatchObject({ errorName: 'Overloaded', cause: { reason: 'memory' } })
    pages[0]?.release()
    expect(await outcomes(enter('ada'))).toEqual(['in'])
  })

  it('a page larger than expected is counted as it is', async () => {
    const { enter } = admissionWith({ places: 9, roomBytes: 300 })
    const large = await enter('ada')
    large.keep(250)
    const next = enter('ada')
    expect(await outcomes(next)).toEqual(['waits'])
    large.release()
    expect(await outcomes(next)).toEqual(['in'])
  })

  it('P168: the pages of one caller, which it does not take, leave room for those of another', async () => {
    const { enter } = admissionWith({ places: 9, roomBytes: 400, setAsideBytes: 100 })
    const held = await Promise.all([enter('slow'), enter('slow'), enter('slow')])
    for (const { keep } of held) keep(100)
    const more = enter('slow')
    expect(await outcomes(more, enter('other'))).toEqual(['waits', 'in'])
  })
})

it('P395: the bodies of one caller, which are being read, leave room for those of another and for its pages', async () => {
  const { enter, holdBody, counts } = admissionWith({ places: 9, roomBytes: 400, setAsideBytes: 100 })
  const bodies = [holdBody('slow', 100), holdBody('slow', 200)]
  expect(() => holdBody('slow', 1)).toThrow(
    expect.objectContaining({ errorName: 'Overloaded', cause: { kind: 'shed', reason: 'memory' } }),
  )
  const more = enter('slow')
  holdBody('other', 0).release()
  expect(await outcomes(more, enter('other'))).toEqual(['waits', 'in'])
  bodies[1]?.keep(50)
  bodies[0]?.release()
  expect(await outcomes(more)).toEqual(['in'])
  expect(counts()).toEqual({ working: 2, waiting: 0, bytes: 250 })
})

it('P165: a process that is late refuses the caller that has the most under way, and none that has nothing', async () => {
  let late = false
  const { enter } = admissionWith({ places: 9, isLate: () => late })
  await enter('greedy')
  await enter('greedy')
  await enter('quiet')
  late = true
  expect(await outcomes(enter('greedy'), enter('quiet'), enter('new'))).toEqual(['eventLoop', 'in', 'in'])
})

it('the page of a client that went away while it was read takes no memory', async () => {
  const { enter, counts } = admissionWith()
  const { keep, release } = await enter('ada')
  release()
  keep(60)
  expect(counts()).toEqual({ working: 0, waiting: 0, bytes: 0 })
})
