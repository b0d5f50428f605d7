import { expect, it } from 'vitest'
import { asCommand, asCurl, asTypeScript, type ShownRequest } from './requests.ts'

const request: ShownRequest = {
  url: 'http://127.0.0.1:8080',
  family: 'library',
  type: 'book',
  query: { type: 'eq', field: 'title', value: "it's" },
  order: [{ field: 'title', direction: 'desc' }],
  select: undefined,
  snapshotToken: undefined,
}

it('names the token, and never has it', () => {
  for (const text of [asCurl(request), asTypeScript(request)]) expect(text).toContain('OCTAVO_TOKEN')
})

it('a quote in a value does not end the word of the shell', () => {
  expect(asCurl(request)).toContain(String.raw`"value":"it'\''s"`)
  expect(asCommand(request)).toContain(String.raw`it'\''s`)
})

it('the program compiles as it stands', () => {
  expect(asTypeScript(request)).toMatchInlineSnapshot(`
    "import { createClient } from '@octavo/client'

    const client = createClient({ url: "http://127.0.0.1:8080", token: process.env.OCTAVO_TOKEN ?? '' })
    const objects = client.family("library").objects("book")
    const query = {"type":"eq","field":"title","value":"it's"} as const
    for await (const { properties } of objects.search(query, {"snapshot":true,"orderBy":[{"field":"title","direction":"desc"}]})) {
      console.log(properties)
    }"
  `)
})
