import { spawnSync } from 'node:child_process'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { buildProgram } from '../program.ts'
import { testContext } from '../../test/support/test-context.ts'
import { completionScript, shells } from './completion-script.ts'

const program = buildProgram(testContext().context)

/** The completions that a real bash offers after these words; the last word is incomplete. */
function offered(...words: readonly string[]): readonly string[] {
  const line = `COMP_WORDS=(${['octavo', ...words].map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_octavo
printf '%s\\n' "\${COMPREPLY[@]}"`
  const bash = spawnSync('bash', ['--norc', '-euo', 'pipefail'], {
    input: `${completionScript(program, 'bash')}\n${line}\n`,
    encoding: 'utf8',
  })
  expect(bash).toMatchObject({ stderr: '' })
  return bash.stdout.split('\n').filter((word) => word !== '')
}

it('bash completes commands, commands of commands, and options', () => {
  expect(offered('st')).toEqual(['status'])
  expect(offered('token', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke']))
  expect(offered('token', 'create', '--sub')).toEqual(['--subject'])
  expect(offered('list', 'flight', '--or')).toEqual(['--order-by'])
  expect(offered('apply', '--dry')).toEqual(['--dry-run'])
})

it('bash completes options of every command after any of them', () => {
  expect(offered('status', '--prof')).toEqual(['--profile'])
  expect(offered('--url', 'http://localhost', 'grant', 'add', '--gr')).toEqual(['--group'])
})

it('bash completes the values of an option that takes one of a few', () => {
  const small = new Command('octavo')
  small.command('load').addOption(small.createOption('--format <format>').choices(['ndjson', 'csv']))
  const script = completionScript(small, 'bash')
  expect(script).toContain(`'load:--format') words='ndjson csv' ;;`)
})

it('names every command in the script of every shell', () => {
  for (const shell of shells) {
    const script = completionScript(program, shell)
    for (const { name } of program.commands.map((command) => ({ name: command.name() }))) {
      expect(script).toContain(name)
    }
  }
})
