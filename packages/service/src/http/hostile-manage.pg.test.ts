// Hostile input from a caller who may manage, under /manage/v1: it is refused with a reason, and never makes the service fail.
import { forAllTests } from '@octavo/dev-database/vitest'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../test/support/answer-of.ts'
import { refusalOf } from '../../test/support/error-answer.ts'
import { manageOverHttp } from '../../test/support/manage-over-http.ts'
import { serveOnFreshDatabase } from '../../test/support/serve-on-fresh-database.ts'
import { withItems } from '../../test/support/with-items.ts'
import { defineType } from '../../test/support/define-type.ts'
import { errorNamed, errorWith } from '../../test/support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)
withItems(service, 3, 'item')

const refused = async (method: string, path: string, body?: unknown) =>
  refusalOf(
    await answerOf(service, path.startsWith('/') ? path : `${manage.base}/${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    }),
  )

it.each(['%00', 'a%00b', '%f0%9f%92%a9', "'%22%3b--", 'x'.repeat(10_000), '__proto__', '%20'])(
  'P110: the name %s in a path is at most not found',
  async (name) => {
    expect(await refused('DELETE', `/manage/v1/accessTokens/${name}`)).toMatchObject({
      errorName: 'AccessTokenNotFound',
    })
    for (const grant of [`subjects/${name}`, `groups/${name}`]) {
      expect(await refused('DELETE', `grants/${grant}`)).toMatchObject({ errorName: 'GrantNotFound' })
    }
    expect(await refused('GET', `objectTypes/${name}`)).toMatchObject({ errorName: 'ObjectTypeNotFound' })
    expect(await refused('GET', `objectTypes/${name}/statistics`)).toMatchObject({
      errorName: 'ObjectTypeNotFound',
    })
    expect(await refused('GET', `/manage/v1/ontologies/${name}`)).toMatchObject({
      errorName: 'OntologyNotFound',
    })
    expect(
      await manage.refused('{"type":"delete","primaryKey":"1"}', { objectType: name, kind: 'batches' }),
    ).toMatchObject({ errorName: 'ObjectTypeNotFound' })
  },
)

describe.each(['\u0000', 'a\u0000b', '\ud800', 'a\udc00'])('P110, P188: the text %j', (text) => {
  const problem = 'it must not contain the character U+0000 or half of a surrogate pair'

  it('is refused in an ontology', async () => {
    for (const [path, body] of [
      ['/displayName', { displayName: text }],
      ['/description', { displayName: 'Two', description: text }],
    ] as const) {
      expect(await refused('PUT', '/manage/v1/ontologies/two', { apiName: 'two', ...body })).toMatchObject(
        errorNamed('InvalidDefinition', { problems: [{ path, problem }] }),
      )
    }
  })

  it('is refused in an object type', async () => {
    const definition = defineType('two', { id: 'string' })
    for (const [path, body] of [
      ['/displayName', { ...definition, displayName: text }],
      ['/description', { ...definition, description: text }],
      [
        '/properties/id/displayName',
        { ...definition, properties: { id: { type: 'string', displayName: text } } },
      ],
    ] as const) {
      expect(await refused('PUT', 'objectTypes/two', body)).toMatchObject(
        errorNamed('InvalidDefinition', { problems: [{ path, problem }] }),
      )
    }
    const policy = { type: 'eq', field: 'id', value: text }
    const searchable = { id: { type: 'string', searchable: true } }
    expect(
      await refused('PUT', 'objectTypes/two', { ...definition, properties: searchable, policy }),
    ).toMatchObject({ errorName: 'InvalidDefinition' })
  })

  it('is refused in what gives access', async () => {
    const token = { subject: 'x', scopes: ['api:ontologies-read'] }
    expect(await refused('POST', '/manage/v1/accessTokens', { ...token, description: text })).toMatchObject(
      errorNamed('Conjure:UnprocessableEntity', { path: '/description', problem }),
    )
    for (const names of [{ subject: text }, { groups: [text] }]) {
      expect(await refused('POST', '/manage/v1/accessTokens', { ...token, ...names })).toMatchObject({
        errorName: 'Conjure:UnprocessableEntity',
      })
    }
  })
})

it.each(['%00', 'a%00b', '%7f', 'x'.repeat(256)])(
  'P110, P188: the name %s is given no grant',
  async (name) => {
    for (const kind of ['subjects', 'groups']) {
      expect(await refused('PUT', `grants/${kind}/${name}`, { role: 'reader' })).toMatchObject(
        errorWith(400, 'InvalidParameterValue', { parameterId: 'name' }),
      )
    }
  },
)

it.each(['2130-02-30T00:00:00Z', '2130-02-28T24:00:00Z', '2130-13-01T00:00:00Z', '2130-01-01T00:00:60Z'])(
  'P110, P188: no token ends at %s, which no calendar has',
  async (expiresAt) => {
    const body = { subject: 'x', scopes: ['api:ontologies-read'], expiresAt }
    expect(await refused('POST', '/manage/v1/accessTokens', body)).toEqual(
      errorWith(422, 'Conjure:UnprocessableEntity', {
        path: '/expiresAt',
        problem: expect.stringContaining('a date and time with a zone'),
      }),
    )
  },
)

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const problemOf = async (line: string) => {
  const { errorName, parameters } = await manage.refused(line, { objectType: 'item' })
  expect(errorName).toBe('InvalidBatch')
  return (parameters['problems'] as readonly Record<string, string>[])[0]
}

it.each([
  ['a value', `{"type":"put","properties":{"id":"1","label":${deep(200_000)}}}`],
  ['the kind', `{"type":${deep(200_000)}}`],
  ['an unknown property', `{"type":"put","properties":{"id":"1","x":${deep(200_000)}}}`],
  ['an element', `{"type":"put","properties":{"id":"1","tags":${deep(200_000)}}}`],
  ['the properties', `{"type":"put","properties":${deep(200_000)}}`],
  ['the object type', `{"type":"put","objectType":${deep(200_000)},"properties":{}}`],
  ['the primary key', `{"type":"delete","primaryKey":${deep(200_000)}}`],
  [
    'a struct',
    `{"type":"put","properties":{"id":"1","label":${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}`,
  ],
])('P110, P133: a line in which %s nests without end is named, and quoted in part', async (_, line) => {
  const problem = await problemOf(line)
  expect(problem?.['problem']).toMatch(/^(must|is not|element 0 must) /)
  expect(problem?.['value']).toMatch(/^(\[{200}|(\{"a":){40})\.\.\.$/)
})

it('P110, P133: a line with more unknown properties than a function takes arguments is refused with the first', async () => {
  const names = Array.from({ length: 300_000 }, (_, i) => `"n${i}":1`)
  const { errorName, parameters } = await manage.refused(
    `{"type":"put","properties":{"id":"1",${names.join(',')}}}`,
    { objectType: 'item' },
  )
  expect(errorName).toBe('InvalidBatch')
  expect(parameters['problems']).toHaveLength(20)
})

it('P133: a name that was sent is repeated, but not all of it', async () => {
  const long = 'n'.repeat(5_000_000)
  const unknown = await problemOf(`{"type":"put","properties":{"id":"1","${long}":1}}`)
  expect(unknown?.['property']).toBe(`${'n'.repeat(200)}...`)
  const component = await problemOf(`{"type":"put","properties":{"id":"1","names":[{"${long}":1}]}}`)
  expect(component?.['problem']).toBe(`element 0 must not have the component "${'n'.repeat(200)}..."`)
})

it.each(['operator', 'Operator', 'OPERATOR', ' operator', 'ｏperator'])(
  'P190: nothing is made for the subject %s',
  async (name) => {
    const token = { subject: name, scopes: ['api:ontologies-read'] }
    expect(await refused('POST', '/manage/v1/accessTokens', token)).toMatchObject(
      errorNamed('Conjure:UnprocessableEntity', { path: '/subject' }),
    )
    const encoded = encodeURIComponent(name)
    expect(await refused('PUT', `grants/subjects/${encoded}`, { role: 'reader' })).toMatchObject(
      errorNamed('InvalidParameterValue', { parameterId: 'name' }),
    )
    // A group may have this name: the audit names no groups.
    const group = await manage.request('PUT', `grants/groups/${encoded}`, { role: 'reader' })
    expect(group.status).toBe(201)
  },
)
