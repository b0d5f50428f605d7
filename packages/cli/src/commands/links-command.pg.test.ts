import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, expect, it } from 'vitest'
import { serveCommand } from '../../test/support/served-command.ts'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defineType } from '../../../service/test/support/define-type.ts'

const served = forAllTests(serveCommand)

beforeAll(async () => {
  const load = async (type: string, objects: readonly object[]) => {
    await writeFile(
      join(served.folder, `${type}.ndjson`),
      objects.map((each) => JSON.stringify(each)).join('\n'),
    )
    expect((await served.run(['load', type, join(served.folder, `${type}.ndjson`)])).code).toBe(0)
  }
  await served.declare(
    defineType('author', { id: 'integer', name: 'string searchable' }, { titleProperty: 'name' }),
  )
  await served.declare(
    defineType(
      'book',
      { isbn: 'string', authorId: 'integer searchable', year: 'integer searchable' },
      { links: { author: { objectType: 'author', foreignKeyProperty: 'authorId', reverse: 'books' } } },
    ),
  )
  await load('author', [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grace' },
  ])
  await load('book', [
    { isbn: 'a', authorId: 1, year: 1843 },
    { isbn: 'b', authorId: 1, year: 1844 },
    { isbn: 'c', authorId: 2, year: 1952 },
    { isbn: 'd', authorId: 7, year: 1960 },
  ])
})

it('links shows the links of a type, from both sides', async () => {
  expect((await served.run(['links', 'book'])).out).toMatchInlineSnapshot(`
    "LINK    LEADS TO  HOW MANY  HELD BY   BACK
    author  author    one       authorId  books
    "
  `)
  expect((await served.run(['links', 'author'])).out).toMatchInlineSnapshot(`
    "LINK   LEADS TO  HOW MANY  HELD BY  BACK
    books  book      many      book     author
    "
  `)
})

it('links follows a link of one object, with the options of list', async () => {
  expect((await served.run(['links', 'book', 'c', 'author'])).out).toMatchInlineSnapshot(`
    "id  name
     2  Grace
    "
  `)
  expect((await served.run(['links', 'author', '1', 'books', '--where', 'year gt 1843'])).out)
    .toMatchInlineSnapshot(`
    "isbn  authorId  year
    b            1  1844
    "
  `)
})

it('links names what was probably meant', async () => {
  expect((await served.run(['links', 'author', '1', 'book'])).err).toMatchInlineSnapshot(`
    "author has no link book; did you mean books? Its links are books.
    "
  `)
  expect((await served.run(['links', 'author', '1'])).err).toMatchInlineSnapshot(`
    "Say which link of author to follow. Its links are books.
    "
  `)
  expect((await served.run(['links', 'author', '9', 'books'])).err).toMatchInlineSnapshot(`
    "There is no author with the key 9 that you can see: check the key.
    "
  `)
})

it('check links lists the keys that lead nowhere, and fails', async () => {
  expect(await served.run(['check', 'links', 'book'])).toMatchInlineSnapshot(`
    {
      "code": 1,
      "err": "1 object of book with a key that leads nowhere: correct the keys, or load the objects that are missing.
    ",
      "out": "KEY  LINK    HOLDS
    d    author  7
    ",
    }
  `)
  expect(await served.run(['check', 'links', 'author'])).toMatchInlineSnapshot(`
    {
      "code": 0,
      "err": "No property of this type holds a link: see octavo links for those of served.
    ",
      "out": "",
    }
  `)
})

it('check links shows which keys of an array lead nowhere, although others lead somewhere', async () => {
  await served.declare(
    defineType(
      'shelf',
      { number: 'long', isbns: 'string[] searchable' },
      { links: { books: { objectType: 'book', foreignKeyProperty: 'isbns', reverse: 'shelves' } } },
    ),
  )
  const shelves = Array.from({ length: 2_000 }, (_, number) => ({
    number,
    ...(number % 3 > 0 && { isbns: number % 400 === 1 ? ['a', 'lost', 'b'] : ['c'] }),
  }))
  const file = join(served.folder, 'shelf.ndjson')
  await writeFile(
    file,
    [...shelves, { number: 9_000, isbns: ['x', 'y'] }].map((each) => JSON.stringify(each)).join('\n'),
  )
  expect((await served.run(['load', 'shelf', file])).code).toBe(0)
  expect(await served.run(['check', 'links', 'shelf'])).toMatchInlineSnapshot(`
    {
      "code": 1,
      "err": "5 objects of shelf with a key that leads nowhere: correct the keys, or load the objects that are missing.
    ",
      "out": "KEY   LINK   HOLDS
    1     books  lost
    401   books  lost
    1201  books  lost
    1601  books  lost
    9000  books  x, y
    ",
    }
  `)
})
