// What a person meets who types `octavo` into a terminal.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnection } from './connection/connection.ts'
import { exampleOntology } from './local/example-objects.ts'
import { makeExample } from './local/make-example.ts'
import { serveOctavo, type ServedOctavo } from '../test/support/served-octavo.ts'
import { isInstalled, needing, openTerminal, type Terminal } from '../test/support/terminal.ts'
import { defineType } from '../../service/test/support/define-type.ts'

let octavo: ServedOctavo
let terminal: Terminal

const wideType = defineType('wide', {
  id: 'integer',
  ...Object.fromEntries(['b', 'c', 'd', 'e', 'f'].map((name) => [name, 'string' as const])),
})

const isMissing = !isInstalled('tmux')

beforeAll(async () => {
  if (isMissing) return
  octavo = await serveOctavo()
  await makeExample(openConnection(octavo, { fetch, stopAsked: new AbortController().signal }))
  terminal = await openTerminal({ environment: { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: octavo.token } })
  const declared = { ontology: exampleOntology, objectTypes: [wideType] }
  writeFileSync(join(terminal.folder, 'wide.yaml'), JSON.stringify(declared))
  const wide = Object.fromEntries(['b', 'c', 'd', 'e', 'f'].map((name) => [name, 'x'.repeat(25)]))
  writeFileSync(join(terminal.folder, 'wide.ndjson'), JSON.stringify({ id: 1, ...wide }))
  const parts = { currentFolder: terminal.folder }
  expect(await octavo.runWith(parts, 'apply', '-f', 'wide.yaml')).toMatchObject({ code: 0 })
  expect(await octavo.runWith(parts, 'load', 'wide', 'wide.ndjson')).toMatchObject({ code: 0 })
  // Through a link: a command that replaced its target would otherwise take the device from the whole machine.
  symlinkSync('/dev/full', join(terminal.folder, 'full'))
})
afterAll(async () => {
  if (isMissing) return
  terminal.close()
  await octavo.close()
})

const traces = /^\s+at |node:internal|Error:/m

describe.skipIf(isMissing)(`in a terminal${needing('tmux')}`, () => {
  it.each([
    ['octavo export employee --out nodir/x.csv', 'There is no folder nodir: create it, or name another', 2],
    ['octavo export employee --out .config', '.config is a folder: give the name of a file.', 2],
    ['octavo export employee --out full', 'There is no room left for full: free space', 1],
    ['octavo list employee > /dev/full', 'There is no room left for standard output', 1],
    ['octavo --help > /dev/full', 'There is no room left for standard output', 1],
    ['octavo load employee nothing.csv', 'There is no file nothing.csv: check its name and the folder', 2],
    ['octavo load employee .config', '.config is a folder: give the files in it.', 2],
    ['octavo load employee in.csv --state nodir/s', 'There is no folder nodir: create it', 2],
    ['octavo load employee in.csv --state .config', '.config is a folder: give the name of a file.', 2],
    ['octavo load employee in.csv --rejected nodir/r.csv', 'There is no folder nodir: create it', 2],
    ['octavo load employee in.csv --rejected .config', '.config is a folder: give the name of a file.', 2],
    ['octavo replace employee nothing.csv', 'There is no file nothing.csv', 2],
    ['octavo apply -f nothing.yaml', 'There is no file nothing.yaml', 2],
    ['octavo search employee --query @nothing.json', 'There is no file nothing.json', 2],
    ['octavo types --out nodir/t.ts', 'There is no folder nodir', 2],
    ['octavo list employee --profile x', 'There is no profile x', 2],
  ])('%s says %s', async (command, sentence, code) => {
    writeFileSync(join(terminal.folder, 'in.csv'), 'employeeId,fullName\n2001,Ada Bell\n')
    mkdirSync(join(terminal.folder, '.config'), { recursive: true })
    const screen = await terminal.run(command)
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(sentence)
    expect(screen).not.toMatch(traces)
    expect(screen).toMatch(new RegExp(`^\\[${code}\\]$`, 'm'))
    expect(readdirSync(terminal.folder).filter((name) => /octavo-|part/.test(name))).toEqual([])
  })

  it('a reader that ends early ends the command without a word', async () => {
    const screen = await terminal.run('octavo list employee --json | head -1 | cut -c1-16')
    expect(screen).toBe('{"primaryKey":"1\n[0]')
  })

  it('a table fits the terminal and says what was left out; in a pipe nothing is', async () => {
    const wide = await terminal.run('octavo list wide')
    expect(wide).toContain('No room for d, e, f: choose with --columns, or use --json.')
    expect(wide.split('\n')[0]).toMatch(/^id +b +c$/)
    const piped = await terminal.run('octavo list wide 2> /dev/null | tr -s " " | fold -w 70')
    expect(piped.replaceAll('\n', '')).toBe(`id b c d e f 1${` ${'x'.repeat(25)}`.repeat(5)}[0]`)
    const asked = await terminal.run('octavo list wide --columns f,id')
    expect(asked).toBe(`f                          id\n${'x'.repeat(25)}   1\n1 object.\n[0]`)
  })

  it.each([
    ['n', 'Nothing was deleted.', 1],
    ['C-d', 'Nothing was deleted.', 1],
    ['C-c', '', 130],
    ['y', 'Deleted 2 objects of employee; version ', 0],
  ])('delete asks, and takes %s for an answer', async (key, sentence, code) => {
    const ended = terminal.run('octavo delete employee 1001 1002 99')
    await terminal.screenWith(/^Delete 2 objects of employee\? \[y\/N\]/m)
    terminal.press(...(key.startsWith('C-') ? [key] : [key, 'Enter']))
    const screen = await ended
    expect(screen).toContain(sentence)
    expect(screen).toMatch(new RegExp(`^\\[${code}\\]$`, 'm'))
    expect(screen.includes('There was no employee with the key 99')).toBe(code === 0)
    expect(screen).not.toMatch(traces)
  })

  it.each([
    ['octavo employee list', 'The command comes first. Did you mean: octavo list employee'],
    ['octavo get 1001 employee', '1001 is not an object type, but employee is: the type comes first.'],
    ['octavo load in.csv employee', 'in.csv is not an object type, but employee is: the type comes first.'],
    ['octavo list employees', 'There is no object type employees; did you mean employee?'],
    ['octavo list Employee', 'There is no object type Employee; did you mean employee?'],
    ['octavo list employee --page-size 0', 'It must be a whole number from 1 to 1000.'],
    [
      "octavo list employee --where 'departement eq Maps'",
      'no property departement; did you mean department?',
    ],
    ["octavo list employee --where 'department = Maps'", '= is not an operator; did you mean eq?'],
    ['octavo list employee --order-by fullname', 'did you mean fullName?'],
    ['octavo list employee --columns FullName', 'no property FullName; did you mean fullName?'],
    ['octavo list employee --ontology exmple', 'that you can see; did you mean example?'],
    ['OCTAVO_TOKEN= octavo list employee', 'The token is missing: give --token TOKEN, set OCTAVO_TOKEN'],
  ])('%s says %s', async (command, sentence) => {
    const screen = await terminal.run(command)
    expect(screen.replaceAll('\n', '')).toContain(sentence)
    expect(screen).not.toMatch(traces)
  })
})
