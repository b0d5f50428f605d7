import { freshDatabase } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { itemDefinition } from '../support/load-items.ts'
import { put } from '../support/manage-over-http.ts'
import { openTestStore } from '../support/open-test-store.ts'
import { startServiceProcess } from '../support/start-service-process.ts'
import { testToken, withTestAccess } from '../support/test-access.ts'

it('P200: what was acknowledged is in the audit, also if the process is killed with the answer', async () => {
  const database = await freshDatabase()
  const store = await withTestAccess(openTestStore({ databaseUrl: database.url }))
  const { child, address, exitCode } = await startServiceProcess({ databaseUrl: database.url })
  try {
    const send = async (method: string, path: string, body: object, type = 'application/json') => {
      const answer = await fetch(`${address}/manage/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${testToken}`, 'content-type': type },
        body: JSON.stringify(body),
      })
      expect(answer.ok).toBe(true)
      return (await answer.json()) as Readonly<Record<string, string>>
    }
    const ontology = { apiName: 'one', displayName: 'One' }
    const { rid } = await send('PUT', 'ontologies/one', ontology)
    await send('PUT', `ontologies/${rid}/objectTypes/item`, itemDefinition('item'))
    const { accessTokenId } = await send('POST', 'accessTokens', {
      subject: 'root',
      scopes: ['api:ontologies-read'],
    })
    await send('PUT', `ontologies/${rid}/grants/subjects/mallory`, { role: 'owner' })
    await send('POST', `ontologies/${rid}/objectTypes/item/batches`, put({ id: 'x' }), 'application/x-ndjson')
    await send('PUT', `ontologies/${rid}/objectTypes/item/objects`, put({ id: 'y' }), 'application/x-ndjson')
    child.kill('SIGKILL')
    await exitCode

    const [found] = await store.catalog.ontologies()
    const rows = async (table: string) =>
      (
        await store.database.rows({
          text: `select action, details from ${table} where subject = 'tester' order by at`,
          values: [],
        })
      ).map(({ action, details }) => [action, details === null ? null : JSON.parse(details ?? '')])
    expect(await rows('octavo.audit')).toEqual([
      ['applyOntology', null],
      ['createAccessToken', { accessTokenId }],
      ['putGrant', { role: 'owner', principal: { type: 'subject', name: 'mallory' } }],
    ])
    expect(await rows(`${found?.schema}.audit`)).toEqual([
      ['applyObjectType', { revision: 1 }],
      ['commit', { version: '1' }],
      ['commit', { version: '2' }],
    ])
  } finally {
    child.kill('SIGKILL')
    await store.database.close()
    await database.drop()
  }
})
