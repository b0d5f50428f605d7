// A page by its number, as most teams write it by hand.
import { answerSchema, columns, pool, serve, type Employee } from './employees.ts'

await serve((app) => {
  app.get<{ Querystring: { offset?: number; limit?: number } }>(
    '/employees',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: {
            offset: { type: 'integer', minimum: 0 },
            limit: { type: 'integer', minimum: 1, maximum: 1_000 },
          },
        },
        response: { 200: answerSchema },
      },
    },
    async ({ query: { offset = 0, limit = 100 } }) => {
      const { rows } = await pool.query<Employee>({
        name: 'page-at',
        text: `select ${columns} from bench.employees order by employee_id limit $1 offset $2`,
        values: [limit, offset],
      })
      return { data: rows }
    },
  )
})
