import { errorNames, errorTable, isErrorName } from '@octavo/protocol'
import { Validator } from '@seriousme/openapi-schema-validator'
import { fastify } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { beforeAll, expect, it } from 'vitest'
import { describedEndpoints, describeService } from '../../describe-service.ts'
import { httpServerOf } from '../../../test/support/http-server-of.ts'
import { describeRoutes, type DescribedRoute } from './described-as.ts'

interface Operation {
  readonly operationId: string
  readonly 'x-stability'?: string
  readonly tags: readonly string[]
  readonly security: readonly unknown[]
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}

interface Document {
  readonly info: Readonly<Record<string, unknown>>
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

let text: string
let document: Document
let routes: readonly DescribedRoute[]

beforeAll(async () => {
  text = await describeService()
  document = JSON.parse(text)
  const app = fastify()
  routes = describeRoutes(app)
  for (const route of describedEndpoints()) app.register(route)
  await app.ready()
})

it('is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator()
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('has every reference that it makes', () => {
  const used = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference)
  const known = new Set(
    Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
  )
  expect(used).toContain('#/components/schemas/Query')
  expect([...new Set(used)].filter((reference) => !known.has(reference ?? ''))).toEqual([])
  expect(text).not.toMatch(/"\$defs"|"\$id"|~kind/)
})

it('describes every endpoint once, under a tag, with every parameter of its path', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  )
  const described = routes.map(({ description }) => description.operationId)
  expect(described.length).toBeGreaterThan(50)
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(described.toSorted())
  expect(described.filter((id, i) => described.indexOf(id) !== i)).toEqual([])
  const tags = document.tags.map(({ name }) => name)
  expect(tags).toEqual(['Revision 1.0', 'Revision 2.0', 'Revision v2', 'Manage', 'Health'])
  for (const { path, ...operation } of operations) {
    expect(tags).toEqual(expect.arrayContaining([...operation.tags]))
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
    expect(operation.security).toEqual(path.startsWith('/health/') ? [] : [{ bearer: [] }])
  }
})

it('P142: marks as unstable the statistics and the audit, and nothing else', () => {
  const unstable = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => operation['x-stability'] === 'unstable')
  expect(unstable.map(({ operationId }) => operationId).toSorted()).toEqual([
    'getObjectTypeStatistics',
    'listAudit',
  ])
})

it('names the errors of an endpoint under the status that they have', () => {
  const listed = document.paths['/api/v1/ontologies/{ontology}/objects/{objectType}']?.['get']
  const named = Object.entries(listed?.responses ?? {}).flatMap(([status, { description }]) =>
    [...description.matchAll(/^- `([\w:]+)`/gm)].map(([, name = '']) => ({ status: Number(status), name })),
  )
  expect(named.length).toBeGreaterThan(10)
  for (const { status, name } of named) {
    expect(isErrorName(name) && errorTable[name].status).toBe(status)
  }
  expect(named.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'InvalidPageSize',
      'InvalidPageToken',
      'ObjectsExceededLimit',
      'Default:Unauthorized',
    ]),
  )
  expect(errorNames).toEqual(expect.arrayContaining(named.map(({ name }) => name)))
})

it('has examples of both ways to get pages, and every example has the shape that it is an example of', () => {
  const examples = routes.filter(({ description }) => description.example !== undefined)
  expect(examples.map(({ description }) => description.operationId)).toEqual(
    expect.arrayContaining(['listObjects', 'searchObjects']),
  )
  for (const { description } of examples) {
    expect(description.answer && Value.Check(description.answer, description.example?.answer)).toBe(true)
    expect(Value.Check(description.body ?? Type.Undefined(), description.example?.body)).toBe(true)
  }
})

it('is served to everybody, and so is its readable form, all from this server', async () => {
  const app = httpServerOf({ routes: describedEndpoints() })
  const served = await app.inject('/openapi.json')
  expect(served.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(served.body).toBe(text)

  const page = await app.inject('/docs')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; connect-src 'self'; script-src 'self';/,
  )
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(4)
  for (const file of files) {
    expect(file).not.toMatch(/^(https?:)?\/\//)
    const { statusCode } = await app.inject(
      new URL(file, 'http://local/docs/').pathname.replace('/docs/docs/', '/docs/'),
    )
    expect({ file, statusCode }).toEqual({ file, statusCode: 200 })
  }
  const missing = await app.inject('/docs/static/nothing.js')
  expect(missing.json()).toMatchObject({ errorName: 'PathNotFound' })
})
