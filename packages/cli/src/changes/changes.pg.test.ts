import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { makeStyle } from '../output/style.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)

beforeAll(async () => {
  await served.declare(
    defineType('thing', { id: 'integer searchable', text: 'string searchable' }, { titleProperty: 'text' }),
  )
  await put({ id: 1, text: 'one' }, { id: 2, text: 'two' })
  const { out } = await served.run(['snapshot', 'thing'])
  await writeFile(join(served.folder, 'state'), out)
  await put({ id: 2, text: 'second' }, { id: 3, text: 'three' })
  await served.run(['delete', 'thing', '1', '--yes'])
})

const put = async (...objects: readonly object[]): Promise<void> => {
  const file = join(served.folder, 'put.ndjson')
  await writeFile(file, objects.map((object) => JSON.stringify(object)).join('\n'))
  expect((await served.run(['load', 'thing', file])).code).toBe(0)
}

const linesOf = (out: string): readonly Record<string, unknown>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

it('prints a line for each change, and the state, from which the next ones are asked for', async () => {
  const { out, err, code } = await served.run(['changes', 'thing', '--since', 'state'])
  expect([code, err]).toEqual([0, ''])
  const [state, ...changes] = linesOf(out).toReversed()
  expect(changes.map(({ type, primaryKey }) => `${String(type)} ${String(primaryKey)}`).toSorted()).toEqual([
    'delete 1',
    'put 2',
    'put 3',
  ])
  expect(changes.find(({ primaryKey }) => primaryKey === '2')).toMatchObject({
    object: { title: 'second', properties: { id: 2, text: 'second' } },
  })
  expect(state).toMatchObject({ type: 'end', fromVersion: '1', toVersion: '3', totalCount: '2' })

  // The state is on the last line of what was printed, whether that is all of it or the token alone.
  await writeFile(join(served.folder, 'changes.ndjson'), out)
  for (const since of ['changes.ndjson', String(state?.['snapshotToken'])]) {
    const next = await served.run(['changes', 'thing', '--since', since, '--json'])
    expect(linesOf(next.out)).toEqual([
      expect.objectContaining({ type: 'end', fromVersion: '3', toVersion: '3' }),
    ])
  }
  const earlier = await served.run(['changes', 'thing', '--since', 'state', '--where', 'text eq three'])
  expect(linesOf(earlier.out).map(({ type }) => type)).toEqual(['put', 'end'])
})

it('is a table on a terminal, and says how to continue', async () => {
  const written: string[] = []
  const noted: string[] = []
  await served.run(['changes', 'thing', '--since', 'state'], {
    output: {
      write: async (text) => void written.push(String(text)),
      note: (text) => void noted.push(text),
      isTerminal: true,
      notesAreShown: false,
      columns: () => 40,
      style: makeStyle({ colour: false }),
    },
  })
  const [head = '', ...rows] = written.join('').trimEnd().split('\n')
  expect([head, ...rows.toSorted()].join('\n')).toMatchInlineSnapshot(`
    "change   id  text
    deleted   1
    put       2  second
    put       3  three"
  `)
  expect(noted.join('')).toMatch(
    /^2 put and 1 deleted from version 1 to version 3, which has 2 objects.\nTo see what changes from here:\n {2}octavo changes thing --since \S+\n$/,
  )
})

it('waits for a change', async () => {
  const { out } = await served.run(['snapshot', 'thing'])
  const waiting = served.run(['changes', 'thing', '--since', out.trim(), '--wait', '20'])
  await put({ id: 4, text: 'four' })
  expect(linesOf((await waiting).out)).toEqual([
    expect.objectContaining({ type: 'put', primaryKey: '4' }),
    expect.objectContaining({ type: 'end', totalCount: '3' }),
  ])
})

it('says what is wrong with --since', async () => {
  expect((await served.run(['changes', 'thing', '--since', 'stat'])).err).toContain('there is no file stat')
  await writeFile(join(served.folder, 'other'), 'not a state\n')
  expect((await served.run(['changes', 'thing', '--since', 'other'])).err).toContain('has no snapshot token')
  const wrong = await served.run(['changes', 'thing', '--since', 'A'.repeat(60)])
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('InvalidSnapshotToken')])
})
