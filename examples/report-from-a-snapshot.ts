// Figures that belong together: all objects are read from one state of the collection, whatever is written meanwhile.
import { createClient } from '@octavo/client'

const { OCTAVO_URL: url = 'http://127.0.0.1:8080', OCTAVO_TOKEN: token = '' } = process.env

/** As `octavo types` writes it; a hand-written part is enough, too. */
interface Library {
  readonly employee: {
    readonly primaryKey: 'employeeId'
    readonly properties: {
      readonly employeeId: number
      readonly department?: string
      readonly startedOn?: string
    }
    readonly fields: { readonly employeeId: 'integer'; readonly department: 'string' }
    readonly terms: 'department'
    readonly sortable: 'employeeId' | 'department' | 'startedOn'
    readonly orders: never
  }
}

const employees = createClient<Library>({ url, token }).family('example').objects('employee')
const walk = employees.all({
  snapshot: true,
  // A snapshot is kept for an hour. If this takes longer, it drops its counts and starts again.
  onSnapshotGone: 'restart',
  orderBy: [{ field: 'department' }],
  select: ['department', 'startedOn'],
})

let restarts = 0
const departments = new Map<string, { people: number; since: string }>()
for await (const { properties } of walk) {
  if (walk.restarts > restarts) {
    departments.clear()
    restarts = walk.restarts
  }
  const { department = 'none', startedOn = '' } = properties
  const { people, since } = departments.get(department) ?? { people: 0, since: startedOn }
  departments.set(department, { people: people + 1, since: since < startedOn ? since : startedOn })
}
for (const [name, { people, since }] of departments) console.log(`${name}: ${people} since ${since}`)
