import { invariant } from '../../base/errors/invariant.ts'
import type { ObjectType } from '../../catalog/object-type.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import type { PageRequest } from '../request/page-request.ts'
import type { PageService } from './page-service.ts'
import type { Captured } from '../token/walk.ts'
import { openNamed } from '../token/snapshot-token.ts'

/** The state that the request names, or the latest: one state for all statements of the request. */
export async function stateOf(
  { store, sealer }: Pick<PageService, 'store' | 'sealer'>,
  request: PageRequest,
  { ontology, type }: { readonly ontology: Ontology; readonly type: ObjectType },
): Promise<Captured> {
  const named = openNamed(sealer, request, { ontology, type })
  if (named !== undefined) return named
  const { versions } = await store.readVersions(ontology, [type])
  const latest = versions.get(type.id)
  invariant(latest !== undefined, 'version-of-another-type')
  return { kind: 'snapshot', ...latest }
}
