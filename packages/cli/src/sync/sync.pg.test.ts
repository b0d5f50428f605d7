import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyKinds, copyPlace } from '../../test/support/copy-places.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { typing } from '../../test/support/served-octavo.ts'
import { defineType, struct } from '../../../service/test/support/define-type.ts'

const thing = defineType('thing', {
  id: 'integer searchable',
  text: 'string',
  large: 'long',
  price: 'decimal',
  size: 'double',
  isNew: 'boolean',
  madeOn: 'date',
  seenAt: 'timestamp',
  tags: 'string[]',
  place: struct({ city: 'string', height: 'double', code: 'long' }),
})

const longName = `a.${'very-'.repeat(20)}long.name`
const part = defineType(
  'com.example.Part',
  { code: 'string searchable', [longName]: 'string' },
  { displayName: 'Part' },
)

const everyKind = [
  { id: 1, text: 'a "quotedName" text, 東京 👩‍🚀', large: '9223372036854775807', price: '12.50', size: 0.1 },
  { id: 2, large: '-9223372036854775808', price: '-0.00', size: -0, isNew: true, madeOn: '0001-01-01' },
  { id: 3, price: '12345678901234567890123456789012345678', size: 1e300, isNew: false, madeOn: '9999-12-31' },
  { id: 4, seenAt: '2021-05-01T09:30:00.25Z', tags: ['b', 'a', '"'], size: 5e-324 },
  { id: 5, seenAt: '0001-01-01T00:00:00Z', tags: [], place: { city: 'Zürich', height: 1e21, code: '7' } },
  { id: -2147483648, seenAt: '9999-12-31T23:59:59.999999Z', place: { height: 0.30000000000000004 } },
]

/** Answers a request for changes in place of the service, once. */
const refuseChanges = (reason: string): typeof fetch => {
  let isRefused = false
  return async (url, init) => {
    if (isRefused || typeof url !== 'string' || !url.endsWith('/changes')) return fetch(url, init)
    isRefused = true
    const body = {
      errorCode: 'CONFLICT',
      errorName: 'ChangesExpired',
      errorInstanceId: 'c1b8c4f6-2a53-4a2e-9d61-4d3f3f3f3f3f',
      parameters: { objectType: 'thing', reason },
      errorDescription: 'The changes are not known.',
    }
    return Response.json(body, { status: 409 })
  }
}

describe.each(copyKinds)('a copy in %s', (kind) => {
  const served = forAllTests(serveCommand)
  const copy = forAllTests(() => copyPlace(kind, served.folder))

  beforeAll(async () => {
    await served.declare(thing)
    await served.declare(part)
    await load('thing', everyKind)
    await load(part.apiName, [{ code: 'a', [longName]: 'x' }, { code: 'b' }, { code: 'A "B"' }])
  })

  const load = async (type: string, objects: readonly object[]): Promise<void> => {
    const file = join(served.folder, `${type}.ndjson`)
    await writeFile(file, objects.map((object) => `${JSON.stringify(object)}\n`).join(''))
    expect((await served.run(['load', type, file])).code).toBe(0)
  }
  const sync = (...words: readonly string[]) => served.run(['sync', ...words, '--to', copy.to])
  const verify = () => served.run(['verify', '--to', copy.to])
  const states = () => copy.query('select object_type, version, snapshot_token from octavo_sync order by 1')

  it('is made of every kind of value, exactly enough to compute its hash from the rows', async () => {
    const synced = await sync('thing', part.apiName, '--partitions', '2')
    expect([synced.err, synced.out]).toEqual([
      '',
      `thing is at version 1: 6 objects, all of them read, checksum equal.
${part.apiName} is at version 1: 3 objects, all of them read, checksum equal.
`,
    ])
    const verified = await verify()
    expect([verified.err, verified.out, verified.code]).toEqual([
      '',
      `${part.apiName} at version 1 is what the service has: 3 objects, checksum equal.
thing at version 1 is what the service has: 6 objects, checksum equal.
`,
      0,
    ])
    const [row] = await copy.query(`select id, text, price, size, "isNew" from thing where id = 1`)
    expect(row).toEqual({ id: 1, text: everyKind[0]?.text, price: '12.50', size: 0.1, isNew: null })
    const [large] = await copy.query(`select count(*) as count from thing where large = 9223372036854775807`)
    expect(Number(Object.values(large ?? {})[0])).toBe(1)
  })

  it('gets what has changed, and is the same state for all types', async () => {
    await load('thing', [
      { id: 7, text: 'new' },
      { id: 1, text: 'changed' },
    ])
    await served.run(['delete', 'thing', '2', '3', '--yes'])
    await load(part.apiName, [{ code: 'c' }])
    const synced = await sync('thing', part.apiName)
    expect([synced.err, synced.out]).toEqual([
      '',
      `thing is at version 3: 5 objects, 2 put and 2 deleted, checksum equal.
${part.apiName} is at version 2: 4 objects, 1 put and 0 deleted, checksum equal.
`,
    ])
    expect((await verify()).code).toBe(0)
    const [first, second] = await states()
    expect(first).toHaveProperty('snapshot_token', Object(second)['snapshot_token'])
    expect((await sync('thing')).out).toBe(
      'thing is at version 3: 5 objects, 0 put and 0 deleted, checksum equal.\n',
    )
  })

  it('gets the columns of properties that were added, and keeps what users have added', async () => {
    await copy.query('create index by_text on thing (text)')
    await copy.query('create view texts as select text from thing')
    await served.declare({
      ...thing,
      properties: { ...thing.properties, colour: { type: 'string' }, weights: { type: { array: 'double' } } },
    } as never)
    await load('thing', [{ id: 8, colour: 'red', weights: [1, 0.1] }])
    expect((await sync('thing', part.apiName)).err).toBe('')
    expect(await copy.query('select id from thing where colour is not null')).toEqual([{ id: 8 }])
    const again = await sync('thing', part.apiName, '--restart')
    expect(again.out).toContain('thing is at version 4: 6 objects, all of them read, checksum equal.')
    expect(await copy.query('select count(*) as count from texts')).toEqual([
      { count: kind === 'SQLite' ? 6 : '6' },
    ])
    expect((await verify()).code).toBe(0)
  })

  it('is found out by verify if somebody has changed a row, and made right with --restart', async () => {
    await copy.query(`update thing set text = 'changed by hand' where id = 7`)
    const changed = await verify()
    expect([changed.code, changed.out]).toEqual([
      1,
      expect.stringContaining('thing at version 4 is wrong. Changed in the copy: 7.\n'),
    ])
    expect(changed.err).toContain(`octavo sync thing --to ${copy.to} --restart`)
    await sync('thing', part.apiName, '--restart')
    expect((await verify()).code).toBe(0)

    await copy.query('delete from thing where id = 7')
    expect((await verify()).out).toContain('thing at version 4 is wrong. Rows missing in the copy: 1.\n')
    // Nothing is written on top of a wrong copy as far as that can be seen.
    await load('thing', [{ id: 7, text: 'again' }])
    const refused = await sync('thing')
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining('were changed by something else'),
    ])
    await sync('thing', part.apiName, '--restart')
    expect((await verify()).code).toBe(0)

    await copy.query('insert into thing (id) values (99)')
    expect((await verify()).out).toContain('Changed in the copy: 99. Rows too many in the copy: 1.\n')
    await sync('thing', '--restart')
    expect((await verify()).code).toBe(0)
  })

  it('stays as it is if the changes are not known any more, until somebody says otherwise', async () => {
    const before = await states()
    const words = ['sync', 'thing', '--to', copy.to]
    for (const [reason, because] of [
      ['tooOld', 'no longer knows what has changed'],
      ['historyChanged', 'was restored from a backup'],
      ['accessChanged', 'you may read other objects'],
    ] as const) {
      const refused = await served.run(words, { fetch: refuseChanges(reason) })
      expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(because)])
      expect(refused.err).toContain(`octavo sync thing --to ${copy.to} --restart`)
    }
    expect(await states()).toEqual(before)

    const declined = await served.run(words, { ...typing('n\n'), fetch: refuseChanges('tooOld') })
    expect(declined.code).toBe(1)
    const agreed = await served.run(words, { ...typing('\n'), fetch: refuseChanges('tooOld') })
    expect(agreed.out).toBe('thing is at version 5: 6 objects, all of them read, checksum equal.\n')
    expect((await verify()).code).toBe(0)
  })

  it('does not write over what is not a copy, or is one of something else', async () => {
    await copy.query(`create table taken (id integer)`)
    await served.declare({ ...part, apiName: 'taken' })
    expect((await sync('taken')).err).toContain('that octavo sync did not make')
    await served.declare({ ...part, apiName: 'octavo_sync' })
    expect((await sync('octavo_sync')).err).toContain('are taken')
    const [state] = await copy.query(`select ontology_rid from octavo_sync where object_type = 'thing'`)
    await copy.query(`update octavo_sync set ontology_rid = 'other' where object_type = 'thing'`)
    expect((await sync('thing')).err).toContain('from another ontology')
    expect((await verify()).err).toContain('from another ontology')
    await copy.query(`update octavo_sync set ontology_rid = '${Object(state)['ontology_rid']}'`)
  })
})
