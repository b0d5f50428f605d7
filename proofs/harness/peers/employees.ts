// What both hand-written services share: the table, its columns as JSON, and a serializer generated from a schema, which the
// documentation of fastify advises for speed.
import { fastify, type FastifyInstance } from 'fastify'
import { Pool } from 'pg'

export const pool = new Pool({ connectionString: process.env['DATABASE_URL'] })

export const columns = `employee_id as "employeeId", full_name as "fullName", department, age, about, email, hired_at as "hiredAt"`

export interface Employee {
  readonly employeeId: string
}

export type OrderBy = (typeof orderSchema.enum)[number]

export const orderSchema = { type: 'string', enum: ['employeeId', 'hiredAt'] } as const

const text = { type: 'string' } as const

export const answerSchema = {
  type: 'object',
  properties: {
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          employeeId: text,
          fullName: text,
          department: text,
          age: { type: 'integer', nullable: true },
          about: text,
          email: text,
          hiredAt: { type: 'string', format: 'date-time' },
        },
      },
    },
    next: text,
  },
} as const

export async function serve(addRoute: (app: FastifyInstance) => void): Promise<void> {
  const app = fastify()
  addRoute(app)
  app.get('/ready', async () => ({ ready: true }))
  await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
  process.once('SIGTERM', () => process.exit(0))
}
