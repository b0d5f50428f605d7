// A page after a key, as a careful team writes it by hand.
import { answerSchema, columns, pool, serve, type Employee } from './employees.ts'

await serve((app) => {
  app.get<{ Querystring: { after?: string; limit?: number } }>(
    '/employees',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { after: { type: 'string' }, limit: { type: 'integer', minimum: 1, maximum: 1_000 } },
        },
        response: { 200: answerSchema },
      },
    },
    async ({ query: { after = '', limit = 100 } }) => {
      const { rows } = await pool.query<Employee>({
        name: 'page-after',
        text: `select ${columns} from bench.employees where employee_id > $1 order by employee_id limit $2`,
        values: [after, limit],
      })
      return { data: rows, next: rows.at(-1)?.employeeId }
    },
  )
})
