// A caller with a policy gets neither a count nor a checksum: these would tell about objects that it may not see.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyKinds, copyPlace } from '../../test/support/copy-places.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const policy = { type: 'eq', field: 'owner', value: { claim: 'sub' } } as const
const note = defineType(
  'note',
  { id: 'integer searchable', owner: 'string searchable', text: 'string' },
  { policy },
)

describe.each(copyKinds)('in %s, of a caller with a policy', (kind) => {
  const served = forAllTests(serveCommand)
  const copy = forAllTests(() => copyPlace(kind, served.folder))
  let environment: Readonly<Record<string, string>>

  beforeAll(async () => {
    await served.declare(note)
    await load([
      { id: 1, owner: 'ada' },
      { id: 2, owner: 'ada' },
      { id: 3, owner: 'grace' },
    ])
    const token = await served.run(['token', 'create', '--subject', 'ada', '--scope', 'api:read-data'])
    await served.run(['grant', 'add', '--ontology', 'served', '--subject', 'ada', '--role', 'reader'])
    environment = { OCTAVO_URL: served.url, OCTAVO_TOKEN: token.out.trim() }
  })

  const load = async (notes: readonly object[]): Promise<void> => {
    const file = join(served.folder, 'notes.ndjson')
    await writeFile(file, notes.map((each) => `${JSON.stringify(each)}\n`).join(''))
    expect((await served.run(['load', 'note', file])).code).toBe(0)
  }
  const asAda = (...words: readonly string[]) => served.run([...words, '--to', copy.to], { environment })
  const ids = async () =>
    (await copy.query('select id from note order by id')).map((row) => Object(row)['id'])

  it('has what that caller may read, and says that there is no checksum', async () => {
    const first = await asAda('sync', 'note')
    expect([first.err, first.out]).toEqual([
      '',
      'note is at version 1: 2 objects, all of them read, the service gives you no checksum to compare.\n',
    ])
    expect(await ids()).toEqual([1, 2])
    const verified = await asAda('verify')
    expect([verified.code, verified.out]).toEqual([
      0,
      'note at version 1 is what was copied: 2 objects, as recorded. The service gives you neither a count nor a checksum to compare.\n',
    ])
  })

  it('loses what is hidden, gets what is shown, and never has what others own', async () => {
    await load([
      { id: 1, owner: 'grace' },
      { id: 3, owner: 'ada' },
      { id: 4, owner: 'grace' },
      { id: 5, owner: 'ada' },
    ])
    const synced = await asAda('sync', 'note')
    expect([synced.err, synced.out]).toEqual([
      '',
      'note is at version 2: 3 objects, 2 put and 1 deleted, the service gives you no checksum to compare.\n',
    ])
    expect(await ids()).toEqual([2, 3, 5])
    const json = await asAda('sync', 'note', '--json')
    expect(JSON.parse(json.out)).toMatchObject({ objectCount: 3, put: 0, deleted: 0, checksumEqual: false })
  })

  it('is found out by verify all the same if somebody has changed a row or removed one', async () => {
    await copy.query(`update note set text = 'by hand' where id = 2`)
    expect(await asAda('verify')).toMatchObject({
      code: 1,
      out: expect.stringContaining('Changed in the copy: 2.') as string,
    })
    await copy.query('delete from note where id = 2')
    expect((await asAda('verify')).out).toContain('Rows missing in the copy: 1.')
    expect((await asAda('sync', 'note', '--restart')).code).toBe(0)
    expect((await asAda('verify')).code).toBe(0)
  })

  it('is left as it is when the policy becomes another one, and becomes smaller only if somebody says so', async () => {
    await served.declare({
      ...note,
      policy: { type: 'and', value: [policy, { type: 'gte', field: 'id', value: 4 }] },
    })
    const refused = await asAda('sync', 'note')
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('you may read other objects than when the copy was made'),
    ])
    expect(await ids()).toEqual([2, 3, 5])
    expect((await asAda('verify')).out).toContain(
      'It cannot be compared with the service: you may read other objects than when the copy was made.',
    )
    expect((await asAda('sync', 'note', '--when-expired', 'restart')).code).toBe(0)
    expect(await ids()).toEqual([5])
  })
})
