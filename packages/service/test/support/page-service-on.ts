// What answers requests for pages, on a store of a test: without HTTP, options or grants.
import { streamTurns } from '../../src/guard/admit/stream-turns.ts'
import { randomHex } from '../../src/guard/auth/random.ts'
import { newestStates } from '../../src/read/rows/state/read-versions.ts'
import type { PageService } from '../../src/read/walk/page-service.ts'
import { readSources } from '../../src/catalog/source-positions.ts'
import { sourceWatch } from '../../src/read/wait/source-watch.ts'
import { clockWatch } from '../../src/read/wait/clock-watch.ts'
import { sealerWith } from './reseal-token.ts'
import { testAdmission } from './test-admission.ts'

/** Everybody may read every ontology. */
export const pageServiceOn = (store: PageService['store']): PageService => ({
  access: {
    roles: async () => new Map((await store.catalog.ontologies()).map(({ rid }) => [rid, 'reader' as const])),
    recheck: async () => {},
  },
  store,
  sealer: sealerWith(),
  admission: testAdmission(),
  streams: streamTurns(2, () => performance.now()),
  watch: clockWatch({
    newestStates: (schema, ids) => newestStates(store, schema, ids),
    accessVersion: async () => '',
  }),
  sources: sourceWatch((schema, names) => readSources(store.database.holding(schema), schema, names)),
  retentionSeconds: 3_600,
  aggregateObjects: 100_000,
  requestTimeoutMs: 60_000,
  now: () => new Date(),
  newWalkId: () => randomHex(16),
  observe: () => {},
})
