import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)

beforeAll(async () => {
  await served.declare(defineType('thing', { id: 'integer searchable' }))
})

const place = (name: string): string => join(served.folder, name)

it('is left as it is, to the byte', async () => {
  const database = new DatabaseSync(place('theirs.sqlite'))
  database.exec('create table thing (name text); create table other (a); insert into thing values (1)')
  database.close()
  const before = readFileSync(place('theirs.sqlite'))
  for (const words of [['sync', 'thing'], ['sync', 'thing', '--restart'], ['verify']]) {
    const end = await served.run([...words, '--to', 'theirs.sqlite'])
    expect(end).toMatchObject({
      code: 2,
      err: expect.stringMatching(/that octavo sync did not make|has no copy/),
    })
    expect(readFileSync(place('theirs.sqlite'))).toEqual(before)
    expect(readdirSync(served.folder)).toEqual(['theirs.sqlite'])
  }
  rmSync(place('theirs.sqlite'))
})

it('a copy can be read by its owner alone, and is read while it is written', async () => {
  expect(await served.run(['sync', 'thing', '--to', 'copy.sqlite'])).toMatchObject({ code: 0, err: '' })
  expect(statSync(place('copy.sqlite')).mode & 0o777).toBe(0o600)
  const database = new DatabaseSync(place('copy.sqlite'), { readOnly: true })
  expect({ ...database.prepare('pragma journal_mode').get() }).toEqual({ journal_mode: 'wal' })
  database.close()
})

it.each([
  [
    'nodir/copy.sqlite',
    'There is no folder nodir: create it, or name another one.\n',
    'There is no file nodir/',
  ],
  ['folder', 'folder is a folder: give the name of a file.\n', undefined],
  ['text.csv', 'text.csv is not a SQLite file: name another one.\n', undefined],
])('%s says what to do', async (to, sentence, forVerify = sentence) => {
  mkdirSync(place('folder'), { recursive: true })
  writeFileSync(place('text.csv'), 'id,name\n1,Ada\n'.repeat(100))
  const synced = await served.run(['sync', 'thing', '--to', to])
  expect(synced).toMatchObject({ out: '', err: sentence })
  expect(synced.code).not.toBe(0)
  const verified = await served.run(['verify', '--to', to])
  expect(verified).toMatchObject({ out: '', err: expect.stringContaining(forVerify) })
  expect(readFileSync(place('text.csv'), 'utf8')).toContain('1,Ada')
})
