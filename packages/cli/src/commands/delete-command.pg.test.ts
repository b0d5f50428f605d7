import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { openConnection } from '../connection/connection.ts'
import { makeExample } from '../local/make-example.ts'
import { serveOctavo, typing } from '../../test/support/served-octavo.ts'

const octavo = forAllTests(serveOctavo)

beforeAll(() => makeExample(openConnection(octavo, { fetch, stopAsked: new AbortController().signal })))

const remaining = async (): Promise<number> =>
  (await octavo.run('list', 'employee', '--json')).out.trim().split('\n').length

it('says how many were deleted, and which keys no object had', async () => {
  const { code, out, err } = await octavo.run('delete', 'employee', '1001', '1002', '1001', '7', '--yes')
  expect([code, out]).toEqual([0, 'Deleted 2 objects of employee; version 2.\n'])
  expect(err).toBe('There was no employee with the key 7 that you can see.\n')
  expect(await remaining()).toBe(10)
  const again = await octavo.run('delete', 'employee', '1001', '1003', '--yes', '--json')
  expect(JSON.parse(again.out)).toEqual({
    objectType: 'employee',
    deleted: 1,
    missing: ['1001'],
    version: '3',
  })
  expect((await octavo.run('delete', 'employee', '1001', '--yes')).out).toBe(
    'Deleted 0 objects of employee.\n',
  )
})

it('asks in a terminal, and without one deletes nothing unless --yes is there', async () => {
  const refused = await octavo.run('delete', 'employee', '1004')
  expect(refused).toMatchObject({
    code: 2,
    err: 'Nothing was deleted: to delete 1 object of employee, add --yes.\n',
  })
  const no = await octavo.runWith(typing('n\n'), 'delete', 'employee', '1004')
  expect(no).toMatchObject({ code: 1, err: 'Delete 1 object of employee? [y/N] Nothing was deleted.\n' })
  expect(await remaining()).toBe(9)
  const yes = await octavo.runWith(typing('y\n'), 'delete', 'employee', '1004')
  expect(yes).toMatchObject({ code: 0, out: 'Deleted 1 object of employee; version 4.\n' })
})

it('refuses more than a thousand keys, and keys that cannot be one', async () => {
  const many = Array.from({ length: 1_001 }, (_, i) => String(i))
  const refused = await octavo.run('delete', 'employee', ...many, '--yes')
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('at most 1,000 keys, not 1,001') })
  const wrong = await octavo.run('delete', 'employee', 'Ada', '--yes')
  expect(wrong).toMatchObject({
    code: 2,
    err: 'The keys of employee are whole numbers, and Ada is none: check the key.\n',
  })
})
