// A page by its number, as most teams write it by hand. In the order of a time the key decides between equal times.
import { answerSchema, columns, orderSchema, pool, serve, type Employee, type OrderBy } from './employees.ts'

const pageAt = (orderedBy: string) =>
  `select ${columns} from bench.employees order by ${orderedBy} limit $1 offset $2`

const statements = {
  employeeId: { name: 'page-at', text: pageAt('employee_id') },
  hiredAt: { name: 'page-at-time', text: pageAt('hired_at, employee_id') },
} as const

await serve((app) => {
  app.get<{ Querystring: { orderBy?: OrderBy; offset?: number; limit?: number } }>(
    '/employees',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            orderBy: orderSchema,
            offset: { type: 'integer', minimum: 0 },
            limit: { type: 'integer', minimum: 1, maximum: 1_000 },
          },
        },
        response: { 200: answerSchema },
      },
    },
    async ({ query: { orderBy = 'employeeId', offset = 0, limit = 100 } }) => {
      const { rows } = await pool.query<Employee>({ ...statements[orderBy], values: [limit, offset] })
      return { data: rows }
    },
  )
})
