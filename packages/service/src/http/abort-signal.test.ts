import { expect, it } from 'vitest'
import { publicRoute } from '../../test/support/public-route.ts'
import { abortSignalOf, releaseOnClose } from './abort-signal.ts'
import { httpServerOf } from '../../test/support/http-server-of.ts'

it('what a request holds is released when its client is gone and its work has ended, and not before', async () => {
  const events: string[] = []
  const begun = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const app = httpServerOf({
    routes: [
      async (endpoints) => {
        endpoints.get('/slow', publicRoute('slow'), async (_, reply) => {
          const signal = abortSignalOf(reply)
          releaseOnClose(reply, signal, () => events.push('released'))
          signal.addEventListener('abort', () => events.push('gone'))
          begun.resolve()
          await isOver.promise
          events.push('over')
          return {}
        })
      },
    ],
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const leaving = new AbortController()
  const asked = fetch(`${url}/slow`, { signal: leaving.signal })
  await begun.promise
  leaving.abort()
  await expect(asked).rejects.toThrow('aborted')
  await expect.poll(() => events).toEqual(['gone'])
  isOver.resolve()
  await expect.poll(() => events).toEqual(['gone', 'over', 'released'])
  await (await fetch(`${url}/slow`)).text()
  await expect.poll(() => events.slice(3)).toEqual(['over', 'released'])
  await app.close()
})
