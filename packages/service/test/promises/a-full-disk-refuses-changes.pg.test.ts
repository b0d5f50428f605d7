import { startCluster, type Cluster } from '@octavo/dev-database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ontology } from '../../src/catalog/ontology.ts'
import { migrate } from '../../src/postgres/migrate.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { searching } from '../support/page-revisions.ts'
import { askServer } from '../support/serve-with-standby.ts'
import { canMakeSmallDisk, makeSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { startTestService, type TestService } from '../support/start-test-service.ts'
import { walkOverHttp } from '../support/walk-over-http.ts'
import { promisedOntology } from '../support/promised-ontology.ts'

describe.skipIf(!canMakeSmallDisk())('a disk without room', () => {
  let disk: SmallDisk | undefined
  let cluster: Cluster
  let service: TestService
  let ontology: Ontology

  beforeAll(async () => {
    disk = makeSmallDisk(32)
    cluster = await startCluster()
    await askServer(cluster, `create tablespace small location '${disk?.folder}'`)
    await askServer(cluster, 'create database small tablespace small')
    const databaseUrl = cluster.databaseUrl('small')
    await migrate(databaseUrl)
    service = await startTestService({ databaseUrl })
    ontology = await promisedOntology(service.store)
    await service.store.applyObjectType(ontology, itemDefinition('item'))
  })

  afterAll(async () => {
    await service.close()
    await cluster.stop()
    disk?.remove()
  })

  it('P174: on a full disk a change is refused whole with StorageFull, pages are still served, and changes work again once there is room', async () => {
    const manage = manageOverHttp({ ...service, ontology })
    const text = 'x'.repeat(1_000)
    const batch = (number: number) =>
      Array.from({ length: 500 }, (_, i) =>
        put({ id: `${number}-${i}`, rank: number, tags: [`${text}${i}`] }),
      )
    const send = (number: number) =>
      manage.send(
        batch(number)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
        { objectType: 'item', key: `batch-${number}` },
      )
    const count = async () => {
      const collection = { ontologyRid: ontology.rid, apiFamily: 'promised', objectType: 'item' }
      const { records } = await walkOverHttp(service, searching, collection, { pageSize: () => 1_000 })
      return records.length
    }

    let kept = 0
    let refused = await send(kept)
    while (refused.status === 200 && kept < 200) refused = await send((kept += 1))
    expect(refusalOf(refused)).toMatchObject({ errorName: 'StorageFull', status: 503 })
    expect(refused.headers.get('retry-after')).toBe('30')
    expect(kept).toBeGreaterThan(3)
    expect(await count()).toBe(kept * 500)
    expect((await service.fetch('/health/ready')).status).toBe(200)

    disk?.grow(256)
    expect((await send(kept)).status).toBe(200)
    expect(await count()).toBe((kept + 1) * 500)
  })
})
