// Serves a snapshot token: the name of the latest state of some object types, or of an earlier one.
import { limits, type Snapshot } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { wireMoment } from '../../base/value/column-time.ts'
import { findOntology, objectTypeNotFound, type OntologyTarget } from '../../catalog/find-object-type.ts'
import type { AfterPosition } from '../../catalog/source-positions.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { Caller } from '../../guard/auth/caller.ts'
import type { PageService } from '../walk/page-service.ts'
import { parseSnapshotRequest } from '../request/parse-snapshot-request.ts'
import { findState, readVersions } from '../rows/state/read-versions.ts'
import { sealSnapshotToken } from '../token/snapshot-token.ts'

export interface SnapshotArrival {
  readonly caller: Caller
  readonly target: OntologyTarget
  readonly body: unknown
  readonly after?: AfterPosition | undefined
}

export async function serveSnapshot(
  service: PageService,
  { caller, target, body, after }: SnapshotArrival,
): Promise<Snapshot> {
  const { store } = service
  const { objectTypes, earlier } = parseSnapshotRequest(body)
  const ontology = await findOntology(service, caller, target)
  return store.catalog.withFreshTypes(ontology, async () => {
    const types = await wantedTypes(service, ontology, objectTypes)
    const { versions, latestUntil, source } = await (earlier === undefined
      ? readVersions(store, types, after)
      : findState(store, types, earlier))
    return {
      snapshotToken: sealSnapshotToken({ service, ontology, caller }, types, versions),
      versions: Object.fromEntries(
        types.map(({ apiName, id }) => [apiName, versions.get(id)?.version ?? '']),
      ),
      ...(source !== undefined && { source }),
      // By the clock of the database, which is the one that counts (P36).
      readableUntil: wireMoment(new Date(latestUntil + service.retentionSeconds * 1_000)),
    }
  })
}

type SomeTypes = readonly [ObjectType, ...ObjectType[]]

async function wantedTypes(
  { store: { catalog } }: PageService,
  ontology: Ontology,
  names: readonly string[] | undefined,
): Promise<SomeTypes> {
  const types =
    names === undefined
      ? await catalog.objectTypes(ontology)
      : await Promise.all(
          [...new Set(names)].map(async (name) => {
            const type = await catalog.objectType(ontology, name)
            if (type === undefined) throw objectTypeNotFound(catalog, ontology, name)
            return type
          }),
        )
  const [first, ...others] = types
  if (first === undefined) throw new ServiceError('Conjure:UnprocessableEntity', noTypes)
  if (types.length > limits.snapshotToken.objectTypes) {
    throw new ServiceError('Conjure:UnprocessableEntity', {
      path: '/objectTypes',
      problem: `it must name at most ${limits.snapshotToken.objectTypes} object types: the ontology has ${types.length}`,
    })
  }
  return [first, ...others]
}

const noTypes = { path: '/objectTypes', problem: 'the ontology has no object types yet: define one first' }
