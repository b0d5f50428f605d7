// The cost of a page at depth, by EXPLAIN: buffers, rows removed, sorts and scans. Counts, not times.
import {
  chooseOrder,
  compilePageQuery,
  type ObjectType,
  type PagePlan,
  type PointInTime,
  type Position,
  rowSourcesOf,
  type Store,
  type OrderByKey,
  withEpochs,
} from '../../packages/service/test/inside.ts'
import { withStore } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { loadSample, putOf } from '../harness/load-sample.ts'
import { newestVersion } from '../harness/newest-version.ts'
import { readPlan, type PlanFacts } from '../harness/read-plan.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'

const pageSize = 1_000

const orders: Readonly<Record<string, readonly OrderByKey[]>> = {
  'primary key': [],
  'primary key, descending': [{ property: 'employeeId', direction: 'desc' }],
  'nullable property': [{ property: 'age', direction: 'asc' }],
  'nullable property, descending': [{ property: 'age', direction: 'desc' }],
  'mixed directions': [
    { property: 'department', direction: 'asc' },
    { property: 'age', direction: 'desc' },
  ],
}

export async function provePlans(proof: Proof): Promise<void> {
  const objects = proof.short ? 20_000 : 2_000_000
  // Far enough from the end that a page of changed objects still follows, as at full size.
  const depths = [10, objects / 2, objects * (proof.short ? 0.6 : 0.95)]
  await withStore({ settings: { shared_buffers: '2GB', max_wal_size: '8GB' } }, async ({ store }) => {
    const ontology = await store.applyOntology({ apiName: 'plans', displayName: 'Plans' })
    const type = await store.applyObjectType(ontology, sampleDefinition)
    await loadSample(store, type, { objects, say: proof.say })
    const { version, tag } = await newestVersion(store, type)
    await changeATenth(store, type, objects)
    await store.database.run(`vacuum analyze ${type.tables.current}`)
    await store.database.run(`vacuum analyze ${type.tables.history}`)
    proof.say(`${objects.toLocaleString('en')} objects, a tenth changed since version ${version}`)

    for (const [name, order] of Object.entries(orders)) {
      await proof.point(`Pages of ${pageSize} by ${name} cost the same at every depth`, async () => {
        const facts = { latest: [] as PlanFacts[], snapshot: [] as PlanFacts[] }
        for (const depth of depths) {
          const position = await positionAt(store, type, { order, depth })
          const costs = await Promise.all(
            ([{ kind: 'latest' }, { kind: 'snapshot', version, tag }] as const).map((at) =>
              explain(store, { type, order, position, at }),
            ),
          )
          facts.latest.push(costs[0] as PlanFacts)
          facts.snapshot.push(costs[1] as PlanFacts)
          proof.say(`depth ${depth}: latest ${describe(costs[0])}; snapshot ${describe(costs[1])}`)
        }
        for (const kind of ['latest', 'snapshot'] as const) checkFlat(kind, facts[kind])
        const ratio = (facts.snapshot.at(-1)?.buffers ?? 0) / (facts.latest.at(-1)?.buffers ?? 1)
        expect(ratio <= 1.5, `a snapshot page reads ${ratio.toFixed(2)} times the buffers of a latest page`)
        return `snapshot / latest = ${ratio.toFixed(2)} buffers at the greatest depth`
      })
    }
  })
}

const describe = (facts: PlanFacts | undefined) =>
  `${facts?.buffers} buffers, ${facts?.rowsRemoved} rows removed, greatest sort ${facts?.greatestSort}, ${facts?.milliseconds} ms`

function checkFlat(kind: string, facts: readonly PlanFacts[]): void {
  const [first] = facts
  const last = facts.at(-1)
  expect(first !== undefined && last !== undefined, 'nothing was measured')
  const ratio = last.buffers / first.buffers
  expect(ratio <= 1.2, `${kind}: the deepest page reads ${ratio.toFixed(2)} times the buffers of the first`)
  for (const fact of facts) {
    expect(
      fact.sequentialScans.length === 0,
      `${kind}: sequential scan of ${fact.sequentialScans.join(', ')}`,
    )
    expect(fact.greatestSort <= 2 * (pageSize + 1), `${kind}: ${fact.greatestSort} rows were sorted`)
    expect(fact.rowsRemoved < pageSize, `${kind}: ${fact.rowsRemoved} rows were read and thrown away`)
  }
}

/** Changes every tenth object, as loading a new file of the same collection does: in key order, batch by batch. */
async function changeATenth(store: Store, type: ObjectType, objects: number): Promise<void> {
  const numbers = Array.from({ length: objects / 10 }, (_, i) => i * 10 + (i % 10))
  for (let from = 0; from < numbers.length; from += 1_000) {
    const changes = numbers.slice(from, from + 1_000).map((number) => putOf(type, sampleEmployee(number, 1)))
    await store.commit({ parts: [{ type, changes }] })
  }
}

async function positionAt(
  store: Store,
  type: ObjectType,
  { order, depth }: { readonly order: readonly OrderByKey[]; readonly depth: number },
): Promise<Position> {
  const { keys } = chooseOrder(type, order)
  const rows = await store.database.rows({
    text: `select ${keys.map((key, i) => `${key.column}::text as key_${i}`).join(', ')} from ${type.tables.current}
order by ${keys.map((key) => `${key.column} ${key.direction} nulls last`).join(', ')} offset ${depth - 1} limit 1`,
    values: [],
  })
  return keys.map((_key, i) => rows[0]?.[`key_${i}`] ?? null)
}

interface Explained {
  readonly type: ObjectType
  readonly order: readonly OrderByKey[]
  readonly position: Position
  readonly at: PointInTime
}

async function explain(store: Store, { type, order, position, at }: Explained): Promise<PlanFacts> {
  const plan: PagePlan = {
    type,
    record: '1.0',
    order: chooseOrder(type, order),
    position,
    at,
    pageSize,
    byteBudget: 8 * 1024 * 1024,
  }
  const query = compilePageQuery(await withEpochs(rowSourcesOf(store.database), plan, undefined), {
    cutAtBudget: false,
    withEscapes: true,
  })
  const run = () =>
    store.database.rows({
      text: `explain (analyze, buffers, format json) ${query.text}`,
      values: query.values,
    })
  await run()
  const rows = await run()
  return readPlan(JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]'))
}
