import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { searching } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { withItems } from '../support/with-items.ts'

const service = forAllTests(serveOnFreshDatabase)
const { collection } = withItems(service, 5, 'item')

const ask = async (requestId: string, objectType: string) => {
  const { path, init } = searching.call({ ...collection, objectType }, { pageSize: 2 })
  const response = await service.fetch(path, {
    ...init,
    headers: { ...init.headers, 'x-request-id': requestId },
  })
  const body: unknown = JSON.parse(await response.text())
  const said = () => service.observations.filter((one) => 'requestId' in one && one.requestId === requestId)
  await expect.poll(() => said().map(({ kind }) => kind)).toContain('request-served')
  return { body, said: said() }
}

it('a page can be followed from its request to its walk', async () => {
  const { said } = await ask('page-1', 'item')
  expect(said.map(({ kind }) => kind)).toEqual(['page-served', 'objects-read', 'request-served'])
  const walks = said.flatMap((one) => ('walkId' in one ? [one.walkId] : []))
  expect(walks).toHaveLength(2)
  expect(new Set(walks).size).toBe(1)
})

it('P104: a refusal can be followed from the id in its body to its request', async () => {
  const { body, said } = await ask('refused-1', 'nothing')
  expect(said).toEqual([
    expect.objectContaining({
      kind: 'request-refused',
      errorInstanceId: (body as { readonly errorInstanceId: string }).errorInstanceId,
    }),
    expect.objectContaining({ kind: 'request-served', status: 404 }),
  ])
})
