import { expect, it } from 'vitest'

import { rightOfScope } from './scopes.ts'

it('P118: the other names of a scope mean the same right, and any other text means none', () => {
  for (const scope of ['api:ontologies-read', 'api:use-ontologies-read', 'api:read-data']) {
    expect(rightOfScope(scope)).toBe('read')
  }
  for (const scope of ['api:ontologies-write', 'api:use-ontologies-write', 'api:write-data']) {
    expect(rightOfScope(scope)).toBe('write')
  }
  expect(rightOfScope('api:ontologies-admin')).toBe('admin')
  expect(rightOfScope('api:tokens-admin')).toBe('tokens')
  for (const scope of ['', 'api:', 'API:READ-DATA', 'api:read-data ', 'constructor']) {
    expect(rightOfScope(scope)).toBeUndefined()
  }
})
