import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { wireHashes } from './wire-hashes.ts'

const committed: unknown = JSON.parse(
  readFileSync(new URL('../../packages/protocol/wire-hashes.json', import.meta.url), 'utf8'),
)

it('every wire shape is the one that was committed; a wanted change is committed by `npm run generate`', () => {
  expect(wireHashes()).toEqual(committed)
})

it('the hashes cover the shapes of both revisions, the query language, writing and every error', () => {
  const names = Object.keys(wireHashes())
  for (const name of [
    'listedObjectsPageSchema',
    'listParametersSchema',
    'searchRequestSchema',
    'foundObjectsPageSchema',
    'querySchema',
    'batchLineSchema',
    'objectTypeDefinitionSchema',
    'errorBodySchema',
    'error InvalidPageToken',
    'limits',
  ]) {
    expect(names).toContain(name)
  }
})
