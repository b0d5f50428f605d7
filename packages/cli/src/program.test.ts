import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { exitCodes } from './base/exit-codes.ts'
import { textWidth } from './output/text-width.ts'
import { visibleCommands } from './output/visible-commands.ts'
import { buildProgram, runProgram } from './program.ts'
import { testContext } from '../test/support/test-context.ts'

const commandsOf = (command: Command, path: readonly string[] = []): readonly (readonly string[])[] => [
  path,
  ...visibleCommands(command).flatMap((each) => commandsOf(each, [...path, each.name()])),
]

const paths = commandsOf(buildProgram(testContext().context))

const helpOf = async (path: readonly string[]): Promise<string> => {
  const { context, written } = testContext()
  expect(await runProgram([...path, '--help'], context)).toBe(exitCodes.done)
  return written()
}

describe('the help', () => {
  it.each(paths.map((path) => [path.join(' ') || 'itself', path] as const))(
    'of octavo %s is the one that was committed',
    async (name, path) => {
      await expect(await helpOf(path)).toMatchFileSnapshot(
        `./help-snapshots/${path.length === 0 ? 'octavo' : name.replaceAll(' ', '-')}.txt`,
      )
    },
  )

  it('fits 80 columns and has an example for every command', async () => {
    for (const path of paths) {
      const help = await helpOf(path)
      const wide = help.split('\n').filter((line) => textWidth(line) > 80)
      expect(wide, path.join(' ')).toEqual([])
      expect(help, path.join(' ')).toContain('Examples:')
    }
  })

  it('of the program states settings and exit codes', async () => {
    const help = await helpOf([])
    for (const text of ['Settings:', 'Exit codes:', '130', 'OCTAVO_URL', 'profiles.yaml']) {
      expect(help).toContain(text)
    }
  })
})

it.each([
  ['an unknown command', ['lst']],
  ['an unknown option', ['status', '--colour']],
  ['a missing argument', ['get', 'employee']],
  ['a value that does not fit', ['list', 'employee', '--limit', 'many']],
  ['a missing setting', ['status']],
])('ends %s with exit code 2, a sentence on standard error and nothing else', async (_, words) => {
  const { context, written, noted } = testContext()
  expect(await runProgram(words, context)).toBe(exitCodes.wrongUse)
  expect(written()).toBe('')
  expect(noted()).not.toBe('')
})

it('ends with 1 when nothing answers, and says where it looked', async () => {
  const { context, noted } = testContext({ environment: { OCTAVO_URL: 'http://127.0.0.1:1' } })
  expect(await runProgram(['status'], context)).toBe(exitCodes.failed)
  expect(noted()).toBe(
    'No answer from http://127.0.0.1:1 (there is no network in this test): is the service running there? octavo serve starts one; --url or OCTAVO_URL says where it is.\n',
  )
})

it('status ends with 1 when the service is not ready, and says why', async () => {
  const unready = {
    status: 'unready',
    reasons: [{ errorName: 'database-not-migrated', description: 'Run migrate.' }],
  }
  const { context, written } = testContext({
    environment: { OCTAVO_URL: 'http://127.0.0.1:1' },
    fetch: async () => Response.json(unready, { status: 503 }),
  })
  expect(await runProgram(['status'], context)).toBe(exitCodes.failed)
  expect(written()).toContain('http://127.0.0.1:1 is not ready: Run migrate.')
})

it.each([
  [
    ['lst', '--json'],
    { errorName: 'WrongUse', errorDescription: "unknown command 'lst'\n(Did you mean list?)" },
    2,
  ],
  [['list', '--json'], { errorName: 'WrongUse', errorDescription: "missing required argument 'TYPE'" }, 2],
  [['--json', 'apply', '-f', 'nothing.yaml'], { errorName: 'FileError' }, 2],
  [['status', '--json', '--url', 'http://127.0.0.1:1'], { errorName: 'ServiceUnreachable' }, 1],
  [['status', '--json'], { errorName: 'WrongUse' }, 2],
])('with --json, the error of %j is one object', async (words, expected, exitCode) => {
  const { context, written, noted } = testContext()
  expect(await runProgram(words, context)).toBe(exitCode)
  expect(written()).toBe('')
  expect(noted()).toMatch(/^[^\n]+\n$/)
  expect(JSON.parse(noted())).toMatchObject({ ...expected, exitCode, errorDescription: expect.any(String) })
})

it('an error that nobody foresaw is a sentence, and a trace only if asked for', async () => {
  const plain = testContext({ input: null as never })
  expect(await runProgram(['apply', '-f', '-'], plain.context)).toBe(exitCodes.failed)
  expect(plain.noted()).toMatch(/^octavo failed and cannot say why: .*\nThis is an error in octavo[.]/)
  expect(plain.noted()).not.toMatch(/^ +at /m)
  const traced = testContext({ input: null as never, environment: { OCTAVO_TRACE: '1' } })
  await runProgram(['apply', '-f', '-'], traced.context)
  expect(traced.noted()).toMatch(/^ +at /m)
})
