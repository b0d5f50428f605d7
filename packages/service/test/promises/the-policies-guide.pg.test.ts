// Runs what docs/run/access.md shows, unchanged.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { openTestStore } from '../support/open-test-store.ts'
import { listing } from '../support/page-revisions.ts'
import { serveClaims } from '../support/serve-claims.ts'
import { putObject } from '../support/put-object.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'

it('P144: each caller of the guide sees what the guide says, and as many in total', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../docs/run/access.md'), 'utf8')
  const block = (kind: string) => new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? ''
  const callers = [...guide.matchAll(/```json claims\n([^]*?)```\s+sees ([^.]*)\./g)].map(
    ([, claims = '', ids = '']) => ({
      claims: JSON.parse(claims) as Record<string, unknown>,
      sees: [...ids.matchAll(/`(\w+)`/g)].map(([, id]) => id),
    }),
  )
  expect(callers).toHaveLength(3)

  const database = await freshDatabase()
  const store = openTestStore({ databaseUrl: database.url })
  const service = await serveClaims(store)
  try {
    const ontology = await store.applyOntology({ apiName: 'guide', displayName: 'Guide' })
    const type = await store.applyObjectType(
      ontology,
      JSON.parse(block('json definition')) as ObjectTypeDefinition,
    )
    const objects = block('ndjson objects').trim().split('\n')
    const changes = objects.map((line) => putObject(type, JSON.parse(line) as Record<string, unknown>))
    await store.commit({ parts: [{ type, changes }] })
    const collection = { ontologyRid: ontology.rid, apiFamily: '', objectType: type.apiName }
    for (const { claims, sees } of callers) {
      const walk = await walkOverHttp(service.as(claims), listing, collection, { pageSize: () => 1 })
      expect(walk.records.map(({ properties }) => properties['reportId'])).toEqual(sees)
      expect(walk.pages[0]?.totalCount).toBe(String(sees.length))
    }
  } finally {
    await service.close()
    await store.database.close()
    await database.drop()
  }
})
