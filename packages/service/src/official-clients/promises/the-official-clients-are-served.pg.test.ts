// The clients of the API family as published: the one for TypeScript itself, and the requests of the one for Python.
import { createPlatformClient } from '@osdk/client'
import { OntologyObjectsV2 } from '@osdk/foundry.ontologies'
import { wireObjectTypeFullMetadataToSdkObjectMetadata } from '@osdk/generator-converters'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { officialCalls } from '../../../test/support/official-clients/all-calls.ts'
import { makeFlightWorld } from '../../../test/support/official-clients/flight-world.ts'
import { serveOnFreshDatabase } from '../../../test/support/serve-on-fresh-database.ts'
import { testToken } from '../../../test/support/test-access.ts'

const service = forAllTests(serveOnFreshDatabase)
const world = forAllTests(() => makeFlightWorld(service.url, service.store, service.ontology))

it.for(officialCalls)('$name', async ({ make }) => {
  // Each call throws if the answer is not the right one.
  await expect(make(world)).resolves.toBeUndefined()
})

it('the functions of the platform read pages', async () => {
  const platform = createPlatformClient(world.url, async () => testToken)
  const page = await OntologyObjectsV2.list(platform, world.ontologyName, 'flight', {
    pageSize: 2,
    select: ['delay'],
  })
  expect(page).toMatchObject({
    totalCount: '1200',
    data: [{ __primaryKey: 0 }, { __primaryKey: 1, delay: 1 }],
  })
})

it('the converters of its generator take every type', async () => {
  const response = await service.fetch(`/api/v2/ontologies/${world.ontologyRid}/fullMetadata`)
  const { objectTypes } = (await response.json()) as {
    readonly objectTypes: Readonly<
      Record<string, Parameters<typeof wireObjectTypeFullMetadataToSdkObjectMetadata>[0]>
    >
  }
  const converted = Object.values(objectTypes).map((type) =>
    wireObjectTypeFullMetadataToSdkObjectMetadata(type, true),
  )
  expect(converted.map(({ apiName, primaryKeyType }) => [apiName, primaryKeyType])).toEqual([
    ['aircraft', 'string'],
    ['flight', 'integer'],
  ])
  expect(Object.keys(converted[1]?.properties ?? {})).toHaveLength(12)
})
