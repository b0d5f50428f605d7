// What a person meets who types `octavo` into a terminal.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConnection } from './connection/connection.ts'
import { makeExample } from './local/make-example.ts'
import { serveOctavo, type ServedOctavo } from '../test/support/served-octavo.ts'
import { isInstalled, needing, openTerminal, type Terminal } from '../test/support/terminal.ts'

let octavo: ServedOctavo
let terminal: Terminal

const isMissing = !isInstalled('tmux')

beforeAll(async () => {
  if (isMissing) return
  octavo = await serveOctavo()
  await makeExample(openConnection(octavo, { fetch, stopAsked: new AbortController().signal }))
  terminal = await openTerminal({ environment: { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: octavo.token } })
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
})
