// Serves a total without a page: how many objects match, in one state.
import { pageSizes, type Count } from '@octavo/protocol'
import { invariant } from '../base/errors/invariant.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import { findObjectType } from '../catalog/find-object-type.ts'
import { planPage } from './plan/plan-page.ts'
import { resolveNames } from './request/resolve-names.ts'
import type { PageArrival, PageService } from './serve-page.ts'
import type { Captured } from './token/captured-by.ts'
import { openNamed } from './token/open-snapshot-token.ts'

export type CountArrival = Pick<PageArrival, 'requestId' | 'caller' | 'target' | 'parse' | 'signal' | 'hold'>

export async function serveCount(service: PageService, arrival: CountArrival): Promise<Count> {
  const { caller, signal } = arrival
  const { store, sealer } = service
  const parsed = arrival.parse()
  arrival.hold(await service.admission.reserve(caller.subject, signal))
  const { ontology, type } = await findObjectType(service, caller, arrival.target)
  return store.catalog.withFreshType(ontology, type, async (fresh) => {
    const request = resolveNames(parsed, fresh)
    const named = openNamed(sealer, request, { ontology, type: fresh })
    const plan = await planPage({
      type: fresh,
      request: { ...request, snapshot: true, pageSize: pageSizes.search.maximum },
      claims: caller.claims,
      walk: undefined,
      // Without a token, the latest state: all statements of the count read one state.
      named: named ?? (await latestOf(service, ontology, fresh)),
      estimate: (...asked) => store.estimateMatches(fresh, ...asked),
    })
    const { count, isBound } = await store.countMatches(plan, signal)
    service.observe({
      kind: 'objects-read',
      requestId: arrival.requestId,
      subject: caller.subject,
      endpoint: 'countObjects',
      ontologyRid: ontology.rid,
      objectType: fresh.apiName,
      objects: 0,
      bytes: 0,
      mode: 'snapshot',
    })
    return {
      totalCount: String(count),
      ...(isBound && { totalCountIsBound: true as const }),
      snapshotVersion: plan.at.kind === 'snapshot' ? plan.at.version : '',
    }
  })
}

async function latestOf({ store }: PageService, ontology: Ontology, type: ObjectType): Promise<Captured> {
  const { versions } = await store.readVersions(ontology, [type])
  const latest = versions.get(type.id)
  invariant(latest !== undefined, 'version-of-another-type')
  return { kind: 'snapshot', ...latest }
}
