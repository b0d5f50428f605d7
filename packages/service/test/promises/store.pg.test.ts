import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { canonicaliseObject } from '../../src/write/commit/canonicalise-object.ts'
import type { Change } from '../../src/write/commit/change.ts'
import { employeeDefinition } from '../support/employee.ts'
import { readWalk } from '../support/read-walk.ts'
import { withStore } from '../support/with-store.ts'

const { store, ontology } = withStore()
const type = forAllTests(() => store.applyObjectType(ontology, employeeDefinition))

const put = (properties: Record<string, unknown>): Change => {
  const made = canonicaliseObject(type, properties)
  if ('problems' in made) throw new Error(JSON.stringify(made.problems))
  return { kind: 'put', object: made.object }
}

it('gives back what was put, page by page', async () => {
  const objects = Array.from({ length: 25 }, (_, i) => ({
    employeeId: `e${String(i).padStart(3, '0')}`,
    fullName: `Person "${i}"`,
    badge: String(i),
    age: i % 3 === 0 ? null : i % 7,
    names: [{ firstName: 'A', lastName: `L${i}` }, { firstName: 'B' }],
    tags: ['x', 'y"\\'],
  }))
  const receipt = await store.commit({ parts: [{ type, changes: objects.map(put) }] })
  expect(receipt).toMatchObject({ version: '1', created: 25, deleted: 0, unchanged: 0, replayed: false })
  const walk = await readWalk({ readPage: store.readPage, type, pageSize: () => 10 })
  expect(walk.pages.map((page) => page.objects)).toEqual([10, 10, 5])
  expect(walk.objects[1]).toEqual({
    primaryKey: 'e001',
    objectType: 'employee',
    title: 'Person "1"',
    properties: {
      employeeId: 'e001',
      fullName: 'Person "1"',
      badge: '1',
      age: 1,
      names: objects[1]?.names,
      tags: objects[1]?.tags,
    },
  })
})
