// The public client of the API family, unmodified, as published: what its listeners receive.
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Osdk } from '@osdk/client'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { itemId, loadItems } from '../../../test/support/load-items.ts'
import { manageOverHttp, put, remove } from '../../../test/support/manage-over-http.ts'
import { removeGrant } from '../../manage/grants.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { startTestService } from '../../../test/support/start-test-service.ts'
import { grantTo, newTokenOf, testToken } from '../../../test/support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

/** Subscribes with the client, and writes down what it calls. */
function listen(apiName: string, { url = service.url, token = testToken, properties = ['rank'] } = {}) {
  const client = createClient(url, service.ontology.rid, async () => token)
  const heard: unknown[] = []
  const { unsubscribe } = client({ type: 'object', apiName }).subscribe(
    {
      onChange: ({ object, state }: { object: Osdk.Instance<never>; state: string }) =>
        heard.push({ state, key: object['$primaryKey'], rank: object['rank'], type: object['$apiName'] }),
      onSuccessfulSubscription: () => heard.push('subscribed'),
      onOutOfDate: () => heard.push('out of date'),
      onError: ({ subscriptionClosed, error }: { subscriptionClosed: boolean; error: unknown }) =>
        heard.push({ subscriptionClosed, error: JSON.stringify(error) }),
    } as never,
    { properties } as never,
  )
  return { heard, unsubscribe }
}

/** What was heard, once that is as much as is wanted. */
async function heardBy({ heard }: Pick<ReturnType<typeof listen>, 'heard'>, count: number) {
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count)
  return heard
}

it('P361, P362: it is subscribed, receives what is put and removed, and nothing once it has unsubscribed', async () => {
  await loadItems(service.store, service.ontology, 3, 'listened')
  const { heard, unsubscribe } = listen('listened')
  expect(await heardBy({ heard }, 1)).toEqual(['subscribed'])
  await manage.commit([put({ id: itemId(1), rank: 7 })], { objectType: 'listened' })
  const changed = { state: 'ADDED_OR_UPDATED', key: itemId(1), rank: 7, type: 'listened' }
  expect(await heardBy({ heard }, 2)).toEqual(['subscribed', changed])
  await manage.commit([remove(itemId(2))], { objectType: 'listened' })
  const removed = { state: 'REMOVED', key: itemId(2), rank: undefined, type: 'listened' }
  expect(await heardBy({ heard }, 3)).toEqual(['subscribed', changed, removed])
  unsubscribe()
  await sleep(300)
  await manage.commit([put({ id: itemId(1), rank: 8 })], { objectType: 'listened' })
  await sleep(1_000)
  expect(heard).toHaveLength(3)
})

it('P363: it has to load again when too much has changed', async () => {
  await loadItems(service.store, service.ontology, 3, 'flooded')
  const { heard, unsubscribe } = listen('flooded')
  expect(await heardBy({ heard }, 1)).toEqual(['subscribed'])
  await manage.commit(
    Array.from({ length: 1_001 }, (_, i) => put({ id: itemId(i), rank: 1_000 })),
    { objectType: 'flooded' },
  )
  expect(await heardBy({ heard }, 2)).toEqual(['subscribed', 'out of date'])
  unsubscribe()
})

it('P361, P364: it hears an error that names what is wrong, and one when its grant is removed', async () => {
  await loadItems(service.store, service.ontology, 3, 'granted')
  await grantTo(service.store, 'guest', service.ontology.rid, 'reader')
  const { token } = await newTokenOf(service.store, { subject: 'guest' })
  const { heard } = listen('granted', { token })
  expect(await heardBy({ heard }, 1)).toEqual(['subscribed'])
  await sleep(700)
  const principal = { type: 'subject', name: 'guest' } as const
  await removeGrant(service.store.database, service.ontology.rid, principal)
  expect(await heardBy({ heard }, 2)).toEqual([
    'subscribed',
    { subscriptionClosed: true, error: expect.stringContaining('OntologyNotFound') as string },
  ])
})

it('P368: when its instance stops, it connects to another one by itself, and has to load again', async () => {
  await loadItems(service.store, service.ontology, 3, 'moved')
  const first = await startTestService({ databaseUrl: service.databaseUrl })
  const balancer = await startBalancer(first.url)
  const { heard, unsubscribe } = listen('moved', { url: balancer.url })
  expect(await heardBy({ heard }, 1)).toEqual(['subscribed'])
  balancer.leadTo(service.url)
  await first.close()
  expect(await heardBy({ heard }, 2)).toEqual(['subscribed', 'out of date'])
  await manage.commit([put({ id: itemId(1), rank: 9 })], { objectType: 'moved' })
  expect(await heardBy({ heard }, 3)).toEqual([
    'subscribed',
    'out of date',
    { state: 'ADDED_OR_UPDATED', key: itemId(1), rank: 9, type: 'moved' },
  ])
  unsubscribe()
  await balancer.close()
})

/** Leads each new connection to one of several instances. */
async function startBalancer(first: string) {
  let port = Number(new URL(first).port)
  const server: Server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (url: string) => {
      port = Number(new URL(url).port)
    },
    close: async () => {
      server.close()
    },
  }
}
