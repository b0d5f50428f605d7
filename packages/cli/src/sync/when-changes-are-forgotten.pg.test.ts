import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyKinds, copyPlace } from '../../test/support/copy-places.ts'
import { forgetChanges } from '../../test/support/forget-changes.ts'
import { serveCommand } from '../../test/support/served-command.ts'
import { defineType } from '../../../service/test/support/define-type.ts'

const typeOf = (apiName: string) => defineType(apiName, { id: 'integer searchable', text: 'string' })

describe.each(copyKinds)('a copy in %s whose state the service has forgotten', (kind) => {
  const served = forAllTests(serveCommand)
  const copy = forAllTests(() => copyPlace(kind, served.folder))

  beforeAll(async () => {
    for (const name of ['thing', 'other']) {
      await served.declare(typeOf(name))
      await put(name, 1)
      await put(name, 2)
    }
    expect((await sync()).code).toBe(0)
    await copy.query('create view texts as select text from thing')
  })

  const put = async (type: string, id: number, text = 'new'): Promise<void> => {
    const file = join(served.folder, 'put.ndjson')
    await writeFile(file, JSON.stringify({ id, text }))
    expect((await served.run(['load', type, file])).code).toBe(0)
  }
  const words = () => ['sync', 'thing', 'other', '--to', copy.to]
  const sync = (...more: readonly string[]) => served.run([...words(), ...more])
  const verify = (...more: readonly string[]) => served.run(['verify', '--to', copy.to, ...more])
  const ids = async () =>
    (await copy.query('select id from thing order by id')).map((row) => Object(row)['id'])

  it('is still compared with what was copied, and is said not to be compared with the service', async () => {
    await put('thing', 3)
    await served.run(['delete', 'thing', '1', '--yes'])
    await forgetChanges(served.databaseUrl)
    const verified = await verify()
    expect([verified.code, verified.err, verified.out]).toEqual([
      0,
      '',
      `other at version 2 is what the service has: 2 objects, checksum equal.
thing at version 2 is what was copied: 2 objects, as recorded. It cannot be compared with the service: the service no longer knows what has changed since then.
`,
    ])
    const [, line = ''] = (await verify('--json')).out.split('\n')
    expect(JSON.parse(line)).toMatchObject({
      objectType: 'thing',
      equal: true,
      objectCount: 2,
      notCompared: 'the service no longer knows what has changed since then',
    })
    await copy.query(`update thing set text = 'changed by hand' where id = 2`)
    const wrong = await verify()
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('Changed in the copy: 2.')])
    await copy.query(`update thing set text = 'new' where id = 2`)
    expect((await verify()).code).toBe(0)
  })

  it('is left as it is, also with --when-expired stop', async () => {
    for (const more of [[], ['--when-expired', 'stop']]) {
      const stopped = await sync(...more)
      expect([stopped.code, stopped.err]).toEqual([
        1,
        expect.stringContaining('(thing): the service no longer knows what has changed since then.'),
      ])
    }
    expect(await ids()).toEqual([1, 2])
  })

  it('is read again with --when-expired restart: only the type that needs it, and what users have made stays', async () => {
    await put('other', 9)
    const restarted = await sync('--when-expired', 'restart')
    expect([restarted.code, restarted.out]).toEqual([
      0,
      `thing is at version 4: 2 objects, all of them read, checksum equal.
other is at version 3: 3 objects, 1 put and 0 deleted, checksum equal.
`,
    ])
    expect(restarted.err).toContain('Everything is read again.')
    expect(await ids()).toEqual([2, 3])
    expect(await copy.query('select text from texts')).toHaveLength(2)
    expect((await verify()).out.match(/checksum equal/g)).toHaveLength(2)
  })

  it.each([
    ['restart', 0],
    ['stop', 1],
  ] as const)('one that follows does as --when-expired %s says', async (how, code) => {
    const stop = new AbortController()
    const id = how === 'stop' ? 21 : 20
    let isForgotten = false
    const ran = await served.run([...words(), '--follow', '--json', '--when-expired', how], {
      stopAsked: stop.signal,
      fetch: async (url, init) => {
        const isOfThing = typeof url === 'string' && url.includes('/thing/')
        const isWaiting = isOfThing && typeof init?.body === 'string' && init.body.includes('waitSeconds')
        if (isWaiting && isForgotten) stop.abort()
        if (isWaiting && !isForgotten) {
          isForgotten = true
          await put('thing', id)
          await forgetChanges(served.databaseUrl)
        }
        return fetch(url, init)
      },
    })
    expect(ran.code).toBe(code)
    expect((await ids()).includes(id)).toBe(how === 'restart')
    if (how === 'stop') {
      expect(ran.err).toContain('--restart')
      return
    }
    const after = ran.out.trim().split('\n').slice(2)
    expect(after.map((line) => JSON.parse(line) as object)).toMatchObject([
      { objectType: 'thing', loaded: true, checksumEqual: true },
      { objectType: 'other', loaded: false },
    ])
    expect((await verify()).code).toBe(0)
  })
})
