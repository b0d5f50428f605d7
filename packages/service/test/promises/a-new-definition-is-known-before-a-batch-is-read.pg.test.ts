// A definition is applied through another instance: the service under test still has the old one cached.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, put } from '../support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
const objectType = 'item'
let colours = 0

const addColour = async (): Promise<string> => {
  const definition = itemDefinition(objectType)
  colours += 1
  const names = Array.from({ length: colours }, (_, i) => `colour${i + 1}`)
  await service.store.applyObjectType(service.ontology, {
    ...definition,
    properties: {
      ...definition.properties,
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    },
  })
  return `colour${colours}`
}

beforeAll(async () => {
  await service.store.applyObjectType(service.ontology, itemDefinition(objectType))
  await manage.commit([put({ id: 'a' })], { objectType })
})

const invalid = { status: 400, errorName: 'InvalidBatch' }

it('P199: a replace with a bad line is refused for it, also right after another instance changed the definition', async () => {
  await addColour()
  expect(
    await manage.refused([put({ id: 'a', rank: 'high' })], { objectType, kind: 'replace' }),
  ).toMatchObject(invalid)
})

it('P199: a replace with a property that another instance has just declared is applied', async () => {
  const colour = await addColour()
  const receipt = await manage.commit([put({ id: 'a', [colour]: 'red' })], { objectType, kind: 'replace' })
  expect(receipt).toMatchObject({ updated: 1 })
})

/** More than the service keeps in memory, so that it can be read only once. */
function* longLines(first: object): Generator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(first)}\n`)
  const label = 'x'.repeat(900)
  for (let i = 0; i < 10_000; i += 1) yield Buffer.from(`${JSON.stringify(put({ id: `i${i}`, label }))}\n`)
}

it('P199: so is a batch that is too large to be read twice, and a line that is too long', async () => {
  await addColour()
  const bad = ReadableStream.from(longLines(put({ id: 'a', rank: 'high' })))
  expect(refusalOf(await manage.send(bad, { objectType }))).toMatchObject(invalid)
  const colour = await addColour()
  const good = ReadableStream.from(longLines(put({ id: 'a', [colour]: 'red' })))
  expect(await manage.send(good, { objectType })).toMatchObject({ status: 200 })
  await addColour()
  const long = JSON.stringify(put({ id: 'a', label: 'x'.repeat(limits.request.batchLineBytes) }))
  expect(await manage.refused(long, { objectType, kind: 'replace' })).toMatchObject({
    errorName: 'RequestTooLarge',
  })
})

it('P199: a definition that changes while such a batch is being read makes the client send it again', async () => {
  async function* changing(): AsyncGenerator<Uint8Array> {
    yield* longLines(put({ id: 'a' }))
    await sleep(500)
    await addColour()
    yield Buffer.from(JSON.stringify(put({ id: 'b' })))
  }
  expect(refusalOf(await manage.send(ReadableStream.from(changing()), { objectType }))).toMatchObject({
    status: 503,
    errorName: 'Overloaded',
  })
})
