import { forAllTests } from '@octavo/dev-database/vitest'
import { beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '../../test/support/error-answer.ts'
import { loadItems } from '../../test/support/load-items.ts'
import { serveOnFreshDatabase, type PromisedService } from '../../test/support/serve-on-fresh-database.ts'
import { errorNamed } from '../../test/support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
let list: string
let search: string

beforeAll(async () => {
  const { collection } = await loadItems(service.store, service.ontology, 3, 'item')
  list = `/api/v1/ontologies/${collection.ontologyRid}/objects/item`
  search = `/api/${collection.apiFamily}/v1/objects/types/item/search`
})

const refused = async (path: string, init?: Parameters<PromisedService['fetch']>[1]) => {
  const response = await service.fetch(path, init)
  return refusalOf({ status: response.status, headers: response.headers, text: await response.text() })
}
const posted = (body: string, headers: Record<string, string> = {}) =>
  refused(search, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

describe('P116: without a token nothing is learned', () => {
  const nobody = { authorization: '' }

  it.each([
    ['a body that is not JSON', '{', {}],
    ['another media type', 'a,b', { 'content-type': 'text/csv' }],
    ['a body that is too large', ' '.repeat(2 ** 20 + 1), {}],
    ['no body', '', {}],
  ])('not even from %s', async (_, body, headers) => {
    expect(await posted(body, { ...headers, ...nobody })).toMatchObject({ errorName: 'Default:Unauthorized' })
  })

  it('not even whether a parameter exists', async () => {
    expect(await refused(`${list}?limit=1`, { headers: nobody })).toMatchObject({
      errorName: 'Default:Unauthorized',
    })
  })
})

describe('names that mean something to JavaScript are names like any other', () => {
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s', async (name) => {
    expect(await posted(`{"query":{"type":"empty"},"${name}":{"pageSize":1}}`)).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: [name] }),
    )
    expect(await posted(`{"query":{"type":"empty","${name}":{}}}`)).toMatchObject(
      errorNamed('Conjure:UnprocessableEntity', {
        path: '/query',
        problem: `"${name}" is not one of its fields, which are type`,
      }),
    )
    expect(await posted(`{"query":{"type":"${name}"}}`)).toMatchObject(
      errorNamed('Conjure:UnprocessableEntity', { path: '/query/type' }),
    )
    expect(await posted(`{"query":{"type":"empty"},"select":["${name}"]}`)).toMatchObject({
      errorName: 'PropertiesNotFound',
    })
    expect(await refused(`${list}?${name}=1`)).toMatchObject(
      errorNamed('UnknownParameter', { unknownParameters: [name] }),
    )
    expect(await refused(`${list}?orderBy=p.${name}`)).toMatchObject({ errorName: 'PropertiesNotFound' })
    expect(await refused(`${list}/${name}`)).toMatchObject({ errorName: 'ObjectNotFound' })
    expect(await refused(list.replace('item', name))).toMatchObject({ errorName: 'ObjectTypeNotFound' })
    expect(
      await refused(search.replace('promised', name), {
        method: 'POST',
        body: '{"query":{"type":"empty"}}',
        headers: { 'content-type': 'application/json' },
      }),
    ).toMatchObject({ errorName: 'ApiFamilyNotFound' })
  })
})

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('P110: a body nested without end', () => {
  it.each([
    ['as the body', deep(500_000), 'Conjure:UnprocessableEntity'],
    ['as the query', `{"query":${deep(500_000)}}`, 'Conjure:UnprocessableEntity'],
    ['as the page size', `{"query":{"type":"empty"},"pageSize":${deep(500_000)}}`, 'InvalidPageSize'],
    ['as the page token', `{"query":{"type":"empty"},"pageToken":${deep(500_000)}}`, 'InvalidPageToken'],
    ['as the select', `{"query":{"type":"empty"},"select":${deep(500_000)}}`, 'Conjure:UnprocessableEntity'],
    [
      'as the order',
      `{"query":{"type":"empty"},"orderBy":{"fields":${deep(500_000)}}}`,
      'Conjure:UnprocessableEntity',
    ],
    [
      'as a value',
      `{"query":{"type":"in","field":"id","value":${deep(500_000)}}}`,
      'Conjure:UnprocessableEntity',
    ],
    [
      'of queries',
      `{"query":${'{"type":"not","value":'.repeat(40_000)}{"type":"empty"}${'}'.repeat(40_000)}}`,
      'QueryTooLarge',
    ],
  ])('%s is refused', async (_, body, errorName) => {
    expect(await posted(body)).toMatchObject({ errorName })
  })
})

it('P110: a primary key of any length, and of any characters, is at most not found', async () => {
  for (const key of ['x'.repeat(15_000), '%00', '%f0%9f%92%a9', '%20', "'%22%3b--", '%ed%9f%bf']) {
    expect(await refused(`${list}/${key}`)).toMatchObject({ errorName: 'ObjectNotFound' })
  }
})

it('P110: names of any characters are at most not found', async () => {
  for (const name of ['%00', '%f0%9f%92%a9', "'%22%3b--", 'x'.repeat(10_000)]) {
    expect(await refused(list.replace('item', name))).toMatchObject({ errorName: 'ObjectTypeNotFound' })
    expect(await refused(`${list}?properties=${name}`)).toMatchObject({ errorName: 'PropertiesNotFound' })
    expect(await refused(`/api/v1/ontologies/${name}`)).toMatchObject({ errorName: 'OntologyNotFound' })
    expect(await refused(`/api/${name}/v1/objects/types`)).toMatchObject({ errorName: 'ApiFamilyNotFound' })
  }
})
