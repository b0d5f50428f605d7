import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { serveOctavo, typing } from '../../test/support/served-octavo.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

const octavo = forAllTests(serveOctavo)
const folder = temporaryFolder()

const definition = (properties: string, displayName = 'Air'): string => `
ontology: { apiName: air, displayName: ${displayName}, apiFamilies: [air] }
objectTypes:
  - apiName: flight
    displayName: Flight
    primaryKey: id
    titleProperty: id
    properties:
      id: { type: string }
${properties}`

const apply = (text: string, ...flags: readonly string[]) => {
  writeFileSync(join(folder, 'air.yaml'), text)
  return octavo.runWith({ currentFolder: folder }, 'apply', '-f', 'air.yaml', ...flags)
}

it('shows what it would make, makes it, and has nothing to do the next time', async () => {
  const text = definition('      delay: { type: integer }')
  const plan = '+ ontology air\n+ type flight\n'
  expect(await apply(text, '--dry-run')).toEqual({ code: 0, out: plan, err: '' })
  expect(await apply(text)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\+ ontology air\n\+ type flight\nApplied 2 changes\./),
  })
  expect(await apply(text)).toEqual({
    code: 0,
    out: '= ontology air\n= type flight\nNothing to change.\n',
    err: '',
  })
})

it('shows each change of what is there, and a dry run changes nothing', async () => {
  const text = definition(
    '      delay: { type: integer, searchable: true }\n      gate: { type: string }',
    'Airline',
  )
  const plan = `~ ontology air: displayName "Air" -> "Airline"
~ type flight: property delay: searchable false -> true
~ type flight: property gate added
`
  expect(await apply(text, '--dry-run')).toMatchObject({ code: 0, out: plan })
  expect(await apply(text, '--dry-run')).toMatchObject({ code: 0, out: plan })
  expect(await apply(text, '--yes')).toMatchObject({ code: 0 })
  expect(await apply(text)).toMatchObject({ out: expect.stringContaining('Nothing to change.') })
})

it('refuses what would lose data with its place in the file, and changes nothing of the rest', async () => {
  const { code, out, err } = await apply(definition('      delay: { type: string }', 'Changed'))
  expect({ code, out }).toEqual({ code: 1, out: '~ ontology air: displayName "Airline" -> "Changed"\n' })
  expect(
    err
      .split('\n')
      .slice(0, -2)
      .map((line) => line.slice(0, 60)),
  ).toEqual(
    [
      'air.yaml:10:16: type flight, property delay, type: Property ',
      'air.yaml:8:5: type flight, property gate: Property gate cann',
    ].map((line) => line.slice(0, 60)),
  )
  expect(err).toMatch(/\nNothing was changed\.\n$/)
  expect((await octavo.run('status')).out).toContain('air')
  expect(
    await apply(
      definition('      delay: { type: integer, searchable: true }\n      gate: { type: string }', 'Airline'),
    ),
  ).toMatchObject({
    out: expect.stringContaining('Nothing to change.'),
  })
})

it('asks a person first, and takes only yes for yes', async () => {
  writeFileSync(join(folder, 'other.yaml'), 'ontology: { apiName: other, displayName: Other }\n')
  const answering = (answer: string) =>
    octavo.runWith({ ...typing(answer), currentFolder: folder }, 'apply', '-f', 'other.yaml')
  expect(await answering('\n')).toMatchObject({
    code: 1,
    err: 'Apply these changes? [y/N] Nothing was changed.\n',
  })
  expect((await octavo.run('status')).out).not.toContain('other')
  expect(await answering('y\n')).toMatchObject({ code: 0 })
  const shown = async () => (await octavo.run('status')).out
  await expect.poll(shown, { timeout: 5_000 }).toContain('other')
})

it('ends a file with problems with exit code 2 before the service is asked', async () => {
  writeFileSync(join(folder, 'bad.yaml'), 'ontology: { apiName: 7 }\n')
  const ran = await octavo.runWith(
    { currentFolder: folder, environment: {} },
    'apply',
    '-f',
    'bad.yaml',
    '-f',
    'air.yaml',
  )
  expect(ran).toEqual({
    code: 2,
    out: '',
    err: 'bad.yaml:1:1: ontology: displayName is missing\nbad.yaml:1:13: ontology, apiName: must be a string, not 7\n',
  })
})

it('prints the plan as JSON lines', async () => {
  const { out } = await apply(
    definition('      delay: { type: integer, searchable: true }\n      gate: { type: string }', 'A'),
    '--dry-run',
    '--json',
  )
  const lines = out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(lines).toMatchObject([
    {
      kind: 'ontology',
      apiName: 'air',
      outcome: 'updated',
      changes: [{ path: '/displayName', before: 'Airline', after: 'A' }],
    },
    { kind: 'type', apiName: 'flight', outcome: 'unchanged', changes: [] },
  ])
})

it('a dry run notices a link to a type that is neither in the file nor in the service', async () => {
  const linkedTo = (type: string) =>
    definition(`      delay: { type: integer, searchable: true }
      gate: { type: string }
      tail: { type: string, searchable: true }
    links:
      aircraft: { objectType: ${type}, foreignKeyProperty: tail, reverse: flights }
      next: { objectType: flight, foreignKeyProperty: tail, reverse: last }
`)
  const refused = await apply(linkedTo('aircarft'), '--dry-run')
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.err).toMatch(
    /^air\.yaml:\d+:\d+: type flight, links, aircraft, objectType: there is no object type aircarft, neither here nor in the ontology\nNothing was changed/m,
  )
  const aircraft = `  - apiName: aircraft
    displayName: Aircraft
    primaryKey: id
    titleProperty: id
    properties:
      id: { type: string }
`
  expect((await apply(linkedTo('aircarft') + aircraft, '--dry-run')).err).toContain(
    'did you mean "aircraft"?',
  )
  expect(await apply(linkedTo('aircraft') + aircraft, '--dry-run')).toMatchObject({ code: 0, err: '' })
  expect(await apply(linkedTo('aircraft') + aircraft)).toMatchObject({ code: 0 })
  // Now it is in the service.
  expect(await apply(linkedTo('aircraft'), '--dry-run')).toMatchObject({ code: 0, err: '' })
})
