// PostgreSQL alone, with the service's own statement: no service on top of it can be faster.
import type { SqlQuery } from '../../../packages/service/test/inside.ts'
import { keyOf } from '../../harness/sample-employees.ts'
import { checkObjects } from '../data/expected-objects.ts'
import type { SpeedData } from '../data/prepare-data.ts'
import { runPgbench } from '../load/pgbench.ts'
import type { Contestant } from './contestant.ts'
import { depthsOf } from './depths.ts'
import { describeKind, type PageKind } from './page-kind.ts'
import { pageStatement } from './page-statement.ts'

export async function bareServer(data: SpeedData, kind: PageKind): Promise<Contestant> {
  const { cluster, store, type, before, objects } = data
  const depths = depthsOf(objects, kind.pageSize)
  const sample = keyOf(123_456_789)
  const statement = await pageStatement(store, type, { kind, before, after: 123_456_789 })
  // The key is built in the statement, because pgbench can count but not write text, and accepts no empty text as a
  // parameter; everything else is a parameter.
  const text = (position: string) =>
    statement.text.replaceAll(/\$(\d+)/g, (_whole, number: string) => {
      const value = statement.values[Number(number) - 1]
      if (value === '') return "''"
      return value === sample ? `('employee-' || lpad((${position})::text, 9, '0'))` : `:p${number}`
    })
  const variables = Object.fromEntries(
    statement.values
      .map((value, i) => [`p${i + 1}`, String(value)] as const)
      .filter(([, value]) => value !== sample && value !== ''),
  )
  return {
    name: 'PostgreSQL alone',
    pageSize: kind.pageSize,
    pids: [],
    check: async () => {
      for (const after of depths.some) {
        const query = asParameters(text(String(after)), variables)
        const [_clock, ...rows] = await store.database.rows(query)
        checkRecords(
          rows.map((row) => Object.values(row)[0] ?? ''),
          { ...kind, after },
        )
      }
    },
    load: (options) =>
      runPgbench(cluster, {
        ...options,
        variables,
        script: `-- ${describeKind(kind)}
\\set page random(0, ${depths.count - 1})
\\set walked random(0, ${depths.walked - 1})
\\set after :page * ${depths.step} + :walked * ${depths.pageSize}
${text(':after').trim()};
`,
      }),
  }
}

/** As pgbench sends it: every variable is a parameter. */
function asParameters(text: string, variables: Readonly<Record<string, string>>): SqlQuery {
  const names = Object.keys(variables)
  return {
    text: text.replaceAll(/(?<!:):(p\d+)/g, (_whole, name: string) => `$${names.indexOf(name) + 1}`),
    values: Object.values(variables),
  }
}

const start = '"properties":'

/** Records without their ends, and one more than the page has, read ahead. */
function checkRecords(records: readonly string[], page: Parameters<typeof checkObjects>[1]): void {
  const objects = records.map(
    (record) =>
      JSON.parse(`${record.slice(record.indexOf(start) + start.length)}}`) as Record<string, unknown>,
  )
  checkObjects(objects.slice(0, page.pageSize), page)
}
