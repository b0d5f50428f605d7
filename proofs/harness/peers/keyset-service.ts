// A page after a cursor, as a careful team writes it by hand. In the order of a time the key decides between equal times, and the
// time travels as PostgreSQL writes it, because a `Date` would lose its microseconds.
import { answerSchema, columns, orderSchema, pool, serve, type Employee, type OrderBy } from './employees.ts'

async function afterKey(after: string, limit: number) {
  const { rows } = await pool.query<Employee>({
    name: 'page-after',
    text: `select ${columns} from bench.employees where employee_id > $1 order by employee_id limit $2`,
    values: [after, limit],
  })
  return { data: rows, next: rows.at(-1)?.employeeId }
}

async function afterTime(after: string, limit: number) {
  const [time, key] = after === '' ? ['-infinity', ''] : after.split(',')
  const { rows } = await pool.query<Employee & { readonly hiredText: string }>({
    name: 'page-after-time',
    text: `select ${columns}, hired_at::text as "hiredText" from bench.employees
where (hired_at, employee_id) > ($1::timestamptz, $2) order by hired_at, employee_id limit $3`,
    values: [time, key, limit],
  })
  const last = rows.at(-1)
  return { data: rows, next: last && `${last.hiredText},${last.employeeId}` }
}

await serve((app) => {
  app.get<{ Querystring: { orderBy?: OrderBy; after?: string; limit?: number } }>(
    '/employees',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            orderBy: orderSchema,
            after: { type: 'string' },
            limit: { type: 'integer', minimum: 1, maximum: 1_000 },
          },
        },
        response: { 200: answerSchema },
      },
    },
    ({ query: { orderBy, after = '', limit = 100 } }) =>
      orderBy === 'hiredAt' ? afterTime(after, limit) : afterKey(after, limit),
  )
})
