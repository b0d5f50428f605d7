// What the examples of the reference show: an ontology of employees in revision 1.0, an API family of people in revision 2.0.

export const exampleOntology = { ontology: 'ri.ontology.main.ontology.5c0b8d1e-7a53-4c0f-9f0e-3f1f0f3f8f11' }

/** Where the objects are, as parameters of a path. */
export const employees = { ...exampleOntology, objectType: 'employee' }
export const people = { apiFamily: 'people', objectType: 'com.example.object.person' }

export const employee = (primaryKey: number, fullName: string) => ({
  rid: `ri.ontology.main.object.c7a3d1f0-52b6-4b0e-8a61-0f6f2c1d9e44.${Buffer.from(String(primaryKey)).toString('hex')}`,
  properties: { employeeId: primaryKey, fullName },
})

const person = (properties: object) => ({
  primaryKey: '1001',
  objectType: people.objectType,
  title: 'Ada Byron',
  properties,
})

export const personWithFullName = person({ fullName: 'Ada Byron', personId: '1001' })
export const personWithName = person({ personId: '1001', name: [{ firstName: 'Ada', lastName: 'Byron' }] })

export const aSnapshotToken = 'AgFhVd2x8Kq0mN3h'
export const oldestReadable = { version: '12', committedAt: '2026-05-01T08:31:00Z' }
