import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { waitingForLock, whileLocked } from '../../../test/support/locked-table.ts'
import { listing } from '../../../test/support/page-revisions.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { openSocket, requestFor } from '../../../test/support/subscribe-over-socket.ts'
import { askForPage } from '../../../test/support/walk-over-http.ts'
import { withItems } from '../../../test/support/with-items.ts'

const service = forAllTests(() =>
  serveOnFreshDatabase({
    // One connection for pages, one for everything else.
    environment: { OCTAVO_DATABASE_POOL_SIZE: '2', OCTAVO_QUEUE_MILLISECONDS: '100' },
  }),
)
const locked = withItems(service, 5, 'locked')
withItems(service, 5, 'free')

it('P392: a subscription begins when it is its turn, and is refused like a page; one that is there is not', async () => {
  const { subscribe, ws } = await openSocket(service)
  const [kept] = await subscribe(requestFor('free'))
  expect(kept?.type).toBe('success')
  const twice = [requestFor('free'), requestFor('free')]
  const { slow, answers } = await whileLocked(service, locked.type, async () => {
    const first = askForPage(service, listing, locked.collection, {})
    await expect.poll(() => waitingForLock(service)).toBe(1)
    return { slow: first, answers: await subscribe(...twice) }
  })
  expect(answers).toEqual([kept, { type: 'qos' }])
  expect((await slow).status).toBe(200)
  expect(await subscribe(...twice)).toMatchObject([kept, { type: 'success' }])
  ws.close()
})
