// The versions of one object, as pages of one state (P280).
import { expect, it } from 'vitest'
import { failureOf, scriptedServer } from '../test/support/scripted-server.ts'

const oldestReadable = { version: '3', committedAt: '2026-05-01T09:00:00Z' }
const put = {
  type: 'put',
  version: '5',
  untilVersion: '7',
  object: { primaryKey: '1001', objectType: 'o', properties: { id: 1001 } },
}

it('P280: they are walked page by page, for a key of any type', async () => {
  const { client, asked } = await scriptedServer(({ pageToken }) => ({
    body:
      pageToken === undefined
        ? {
            data: [{ type: 'delete', version: '7' }],
            nextPageToken: 'AQ',
            version: '9',
            oldestReadable,
          }
        : { data: [put], version: '9', oldestReadable },
  }))
  const objects = client().family('f').objects('o')
  const pages = []
  for await (const page of objects.versions(1001, { select: ['id'], pageSize: 1 }).pages()) pages.push(page)
  expect(pages.flatMap(({ data }) => data)).toEqual([{ type: 'delete', version: '7' }, put])
  expect(pages[0]).toMatchObject({ oldestReadable })
  expect(asked.map(({ method, url }) => [method, url.pathname, url.search])).toEqual(
    [undefined, 'AQ'].map((pageToken) => [
      'GET',
      '/api/f/v1/objects/types/o/objects/1001/versions',
      `?pageSize=1&select=id${pageToken === undefined ? '' : `&pageToken=${pageToken}`}`,
    ]),
  )
})

it('P280: pages of two states are noticed, and an option that it does not have', async () => {
  const { client } = await scriptedServer(({ pageToken }) => ({
    body: {
      data: [put],
      ...(pageToken === undefined && { nextPageToken: 'AQ' }),
      version: pageToken ?? '9',
    },
  }))
  const objects = client().family('f').objects('o')
  const failure = await failureOf(objects.versions('a').toArray())
  expect(failure).toMatchObject({ errorName: 'InvalidPage', parameters: { problem: 'snapshotChanged' } })
  expect(() => objects.versions('a', { orderBy: [] } as never)).toThrow('versions() has no option `orderBy`')
})
