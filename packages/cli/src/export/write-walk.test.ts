import { createClient } from '@octavo/client'
import { expect, it } from 'vitest'
import type { ExportTarget } from './export-target.ts'
import { ndjsonLines } from './object-line.ts'
import { lineWriter } from './object-writer.ts'
import { writeWalk, type WrittenWalk } from './write-walk.ts'

const state: WrittenWalk = { walk: '', objects: 0 }

/** Five pages with one object each. */
const fivePages: typeof fetch = async (_url, init) => {
  const { pageToken } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as {
    pageToken?: string
  }
  const page = Number(pageToken ?? 0)
  const data = [{ primaryKey: String(page), objectType: 'thing', properties: { id: page } }]
  return Response.json({ data, ...(page < 4 && { nextPageToken: String(page + 1) }), version: '7' })
}

const client = createClient({ url: 'http://localhost', token: 'x', fetch: fivePages })

it('a disk that fills up halfway loses no page of the walk that continues later', async () => {
  let written = ''
  let room = 2
  const target: ExportTarget = {
    write: async (text) => {
      if (room === 0) throw new Error('ENOSPC')
      room -= 1
      written += String(text)
    },
    bytes: () => Buffer.byteLength(written),
  }
  let saved = { ...state, bytes: 0 }
  const save = async (now: WrittenWalk) => {
    saved = { ...now, bytes: target.bytes() }
  }
  const walk = client.family('f').objects('thing').all({ snapshot: true })
  const parts = { writer: lineWriter(ndjsonLines, target), save, onPage: () => {} }
  await expect(writeWalk({ ...parts, walk, state })).rejects.toThrow('ENOSPC')

  room = 10
  written = written.slice(0, saved.bytes)
  const again =
    saved.walk === ''
      ? client.family('f').objects('thing').all({ snapshot: true })
      : client.resume(saved.walk)
  await writeWalk({ ...parts, walk: again, state: saved })
  expect(written).toBe([0, 1, 2, 3, 4].map((id) => `{"id":${id}}\n`).join(''))
  expect(saved.objects).toBe(5)
})
