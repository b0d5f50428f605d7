import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOfObject, sumOfChecksums } from '@octavo/client'
import type { PropertyType } from '@octavo/protocol'
import { expect, it } from 'vitest'
import { checkWritten, type WrittenExport } from './check-written.ts'
import { csvObjectLines, ndjsonLines, type ObjectLines, type Properties } from './object-line.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

const types: Readonly<Record<string, PropertyType>> = {
  id: 'long',
  text: 'string',
  size: 'double',
  isNew: 'boolean',
  price: 'decimal',
  tags: { array: 'string' },
  place: { struct: { city: { type: 'string' }, height: { type: 'double' } } },
}
const facts = {
  apiName: 'thing',
  primaryKey: 'id',
  titleProperty: 'text',
  properties: new Map(Object.entries(types)),
  links: {},
}

const objects: readonly Properties[] = [
  { id: '1', text: 'a "quoted" text,\nand\r\nlines', size: -0, isNew: false, tags: ['a', '"', '\n'] },
  { id: '9007199254740993', text: '', price: '-1.50', place: { city: '\u2028', height: 1e300 } },
  { id: '-3', text: ' = \u{1F469} ', tags: [], place: {} },
]
const checksum = sumOfChecksums(
  objects.map((properties) => hashOfObject({ primaryKey: String(properties['id']), properties })),
)

const folder = temporaryFolder()

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const textOf = (lines: ObjectLines, some: readonly Properties[]): string => some.map(lines.line).join('')

const forms = [
  ['ndjson', ndjsonLines],
  ['csv', csvObjectLines(facts, { escapesFormulas: false })],
] as const

function check(format: 'ndjson' | 'csv', text: string, parts: Partial<WrittenExport> = {}): Promise<void> {
  const path = join(folder, `x.${format}`)
  writeFileSync(path, text)
  return checkWritten({
    facts,
    format,
    escapesFormulas: false,
    files: [{ path, written: [{ bytes: Buffer.byteLength(text), digest: digestOf(text) }] }],
    received: { objects: objects.length, checksum },
    signal: new AbortController().signal,
    onRead: () => {},
    ...parts,
  })
}

it.each(forms)('%s is read back as the objects that were received', async (format, lines) => {
  const text = lines.header + textOf(lines, objects)
  await expect(check(format, text)).resolves.toBeUndefined()
  const parts = [lines.header + textOf(lines, objects.slice(0, 1)), '', textOf(lines, objects.slice(1)), '']
  const written = parts.map((part) => ({ bytes: Buffer.byteLength(part), digest: digestOf(part) }))
  await expect(
    check(format, text, { files: [{ path: join(folder, `x.${format}`), written }] }),
  ).resolves.toBeUndefined()
})

it.each(forms)('%s with other objects than those received is refused', async (format, lines) => {
  const of = (some: readonly Properties[]) => lines.header + textOf(lines, some)
  const [first = {}, ...others] = objects
  await expect(check(format, of(others))).rejects.toThrow('3 objects were received, and 2 are in it')
  await expect(check(format, of([...objects, first]))).rejects.toThrow('and 4 are in it')
  await expect(check(format, of([{ ...first, text: 'other' }, ...others]))).rejects.toThrow('add up to')
  const open = format === 'ndjson' ? '{"id":"1"' : '1,"'
  await expect(check(format, of(others) + open)).rejects.toThrow('it has a line that cannot be read')
})

it.each(forms)('%s with other bytes than those written is refused', async (format, lines) => {
  const text = lines.header + textOf(lines, objects)
  const written = [{ bytes: Buffer.byteLength(text), digest: digestOf(text) }]
  const files = [{ path: join(folder, `x.${format}`), written }]
  await expect(check(format, `${text}\n`, { files })).rejects.toThrow('it is longer than what was written')
  await expect(check(format, text.slice(0, -9), { files })).rejects.toThrow(/shorter|cannot be read/)
  const swapped = lines.header + textOf(lines, objects.toReversed())
  await expect(check(format, swapped, { files })).rejects.toThrow('its bytes are not those that were written')
})

it('a file without a checksum, and one with escaped texts, is counted', async () => {
  const lines = csvObjectLines(facts, { escapesFormulas: true })
  const text = lines.header + textOf(lines, [{ id: '-1', text: '=1+1', price: '-2' }])
  expect(text.split('\n')[1]).toBe("-1,'=1+1,,,-2,,")
  const received = { objects: 1, checksum }
  await check('csv', text, { received, escapesFormulas: true })
  await check('csv', text, { received: { objects: 1, checksum: undefined } })
  await expect(check('csv', text, { received: { objects: 2, checksum: undefined } })).rejects.toThrow(
    '1 are in it',
  )
})
