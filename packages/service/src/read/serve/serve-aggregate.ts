// Serves numbers about objects: of all that match, or of groups of them, in one state.
import type { Aggregate } from '@octavo/protocol'
import { writeAggregate } from '../page/write-aggregate.ts'
import { planAggregate } from '../plan/plan-aggregate.ts'
import type { ParsedAggregate } from '../request/parse-aggregate-request.ts'
import { openNamed } from '../token/snapshot-token.ts'
import { followRequest, planFollowed } from '../walk/follow-request.ts'
import type { PageService } from '../walk/page-service.ts'
import { observeRead, withType, type TypeArrival } from '../walk/type-context.ts'
import { readAggregate } from '../rows/numbers/read-aggregate.ts'

export interface AggregateArrival extends TypeArrival {
  readonly parse: () => ParsedAggregate
}

export async function serveAggregate(service: PageService, arrival: AggregateArrival): Promise<Aggregate> {
  const parsed = arrival.parse()
  return withType(service, arrival, async (typeContext) => {
    const { type, signal } = typeContext
    const asked = { ...parsed, request: { ...parsed.request, after: typeContext.after } }
    const context = { ...typeContext, request: asked.request }
    const followed = await followRequest(context)
    // Without a token, the statement that reads the latest state says which one it was.
    const named = openNamed(context)
    const plan = await planAggregate(type, asked, (request) =>
      planFollowed({ ...context, request }, followed, { named, readsAll: true }),
    )
    const rows = await readAggregate(service.store, plan, { budget: service.aggregateObjects, signal })
    observeRead(context, { endpoint: 'aggregateObjects', mode: 'snapshot' })
    return writeAggregate(plan, rows)
  })
}
