import { gzipSync } from 'node:zlib'
import { limits, type CommitReceipt, type Load, type LoadPartReceipt } from '@octavo/protocol'
import { forAllTests } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { answerOf } from '../support/answer-of.ts'
import { refusalOf } from '../support/error-answer.ts'
import { itemDefinition } from '../support/load-items.ts'
import { manageOverHttp, merge, put, remove } from '../support/manage-over-http.ts'
import { itemTypes } from '../support/item-types.ts'
import { jsonBody } from '../support/page-revisions.ts'
import { serveOnFreshDatabase } from '../support/serve-on-fresh-database.ts'
import { errorNamed } from '../support/named-errors.ts'

const service = forAllTests(serveOnFreshDatabase)
const manage = manageOverHttp(service)

const { newType, contentsOf } = itemTypes(() => service)

/** The requests of one load. */
async function newLoad(objectType: string, replace = false) {
  const loads = `${manage.base}/loads`
  const begun = await answerOf(service, loads, jsonBody({ objectTypes: [objectType], replace }))
  const { loadId } = JSON.parse(begun.text) as Load
  const path = `${loads}/${loadId}`
  const sendPart = (
    part: number | string,
    lines: readonly unknown[],
    coding: 'gzip' | 'identity' = 'identity',
  ) => {
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return answerOf(service, `${path}/objectTypes/${objectType}/parts/${part}`, {
      method: 'PUT',
      body: coding === 'gzip' ? gzipSync(body) : body,
      headers: { 'content-type': 'application/x-ndjson', 'content-encoding': coding },
    })
  }
  return {
    loadId,
    sendPart,
    part: async (part: number, lines: readonly unknown[]) => {
      const answer = await sendPart(part, lines)
      expect(answer.status, answer.text).toBe(200)
      return JSON.parse(answer.text) as LoadPartReceipt
    },
    read: async () => JSON.parse((await answerOf(service, path)).text) as Load,
    finish: async (body?: object) => {
      const asked = body === undefined ? { method: 'POST' } : jsonBody(body)
      const answer = await answerOf(service, `${path}/finish`, asked)
      return answer.status === 200 ? (JSON.parse(answer.text) as CommitReceipt) : refusalOf(answer)
    },
    giveUp: () => answerOf(service, path, { method: 'DELETE' }),
  }
}

const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => put({ id: `i${from + i}`, rank: 1 }))

it('P220, P222, P226: parts are sent, nothing is seen of them, and once finished all of them are', async () => {
  const objectType = await newType()
  const load = await newLoad(objectType)
  expect(load.loadId).toMatch(/^[0-9a-f]{32}$/)
  const receipts = await Promise.all([
    load.part(2, range(100, 300)),
    load.part(0, range(0, 100)),
    load.part(Number.MAX_SAFE_INTEGER, range(300, 303)),
  ])
  expect(receipts.map(({ objectCount }) => objectCount)).toEqual([200, 100, 3])
  expect(await contentsOf(objectType)).toEqual([])
  expect(await load.read()).toEqual({
    loadId: load.loadId,
    objectTypes: [objectType],
    replace: false,
    phase: 'receiving',
    partCount: 3,
    objectCount: 303,
    indexCount: 3,
    builtIndexCount: 0,
  })
  const receipt = await load.finish()
  expect(receipt).toMatchObject({ version: '1', created: 303, deleted: 0, replayed: false })
  expect(await contentsOf(objectType)).toHaveLength(303)
  expect(await load.finish()).toEqual({ ...receipt, replayed: true })
  expect(await load.read()).toMatchObject({ phase: 'done', indexCount: 3, builtIndexCount: 3, receipt })
  expect(refusalOf(await load.sendPart(7, range(0, 1)))).toMatchObject({ errorName: 'LoadClosed' })
})

it('P220: what is no put, or breaks a rule, is refused as in a batch, and nothing of the part is stored', async () => {
  const objectType = await newType()
  const load = await newLoad(objectType)
  const refusal = refusalOf(
    await load.sendPart(1, [
      put({ id: 'a' }),
      remove('b'),
      merge({ id: 'c' }),
      put({ id: 'd', rank: 'high' }),
      put({ id: 'e' }, 'other'),
    ]),
  )
  expect(refusal).toMatchObject({ status: 400, errorName: 'InvalidBatch' })
  const { problems } = refusal.parameters as { problems: readonly { readonly line: number }[] }
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5])
  expect(await load.read()).toMatchObject({ partCount: 0 })
  expect(refusalOf(await load.sendPart(1, []))).toMatchObject({ errorName: 'MissingPostBody' })
  for (const part of ['-1', 'x', '1.5', '9007199254740992', '99999999999999999999']) {
    expect(refusalOf(await load.sendPart(part, range(0, 1)))).toMatchObject(
      errorNamed('InvalidParameterValue', { parameterId: 'part' }),
    )
  }
  expect(await load.part(1, [put({ id: 'a' }, objectType)])).toMatchObject({ objectCount: 1 })
})

it('P220: a part of more than 32 MiB is refused', async () => {
  const load = await newLoad(await newType())
  const line = put({ id: 'a', label: 'x'.repeat(900) })
  const refusal = refusalOf(
    await load.sendPart(
      1,
      Array.from({ length: 36_000 }, () => line),
    ),
  )
  expect(refusal).toMatchObject(
    errorNamed('RequestTooLarge', { limit: 'bodyBytes', maximum: limits.load.partBytes }),
  )
})

it('P213, P216: a part may be compressed, and is the same part if it is not', async () => {
  const objectType = await newType()
  const load = await newLoad(objectType)
  const receipts = []
  for (const coding of ['gzip', 'identity'] as const) {
    receipts.push(JSON.parse((await load.sendPart(0, range(0, 3), coding)).text))
  }
  expect(receipts).toEqual([
    { part: 0, objectCount: 3, replayed: false },
    { part: 0, objectCount: 3, replayed: true },
  ])
  expect(await load.finish()).toMatchObject({ created: 3 })
})

it('P221: the same part twice is stored once, and one with other contents is refused', async () => {
  const objectType = await newType()
  const load = await newLoad(objectType)
  const first = await load.part(1, range(0, 10))
  expect(first).toEqual({ part: 1, objectCount: 10, replayed: false })
  expect(await load.part(1, range(0, 10))).toEqual({ ...first, replayed: true })
  expect(refusalOf(await load.sendPart(1, range(0, 9)))).toMatchObject(
    errorNamed('LoadPartConflict', { loadId: load.loadId, part: 1 }),
  )
  await load.part(0, [put({ id: 'i3', rank: 9 }), put({ id: 'x', rank: 1 }), put({ id: 'x', rank: 2 })])
  expect(await load.finish()).toMatchObject({ created: 11 })
  const ranks = Object.fromEntries((await contentsOf(objectType)).map((item) => [item['id'], item['rank']]))
  expect(ranks).toMatchObject({ i3: 1, x: 2 })
})

it('P108: an empty body of the type JSON is none, so an endpoint that needs none answers', async () => {
  const [type, other] = [await newType(), await newType()]
  const empty = { headers: { 'content-type': 'application/json' }, body: '' }
  const load = await newLoad(type)
  await load.part(1, range(0, 3))
  const path = (loadId: string) => `${manage.base}/loads/${loadId}`
  const finished = await answerOf(service, `${path(load.loadId)}/finish`, { method: 'POST', ...empty })
  expect(JSON.parse(finished.text)).toMatchObject({ created: 3 })
  const { loadId } = await newLoad(other)
  expect(await answerOf(service, path(loadId), { method: 'DELETE', ...empty })).toMatchObject({
    status: 204,
    text: '',
  })
  expect(
    refusalOf(await answerOf(service, `${manage.base}/loads`, { method: 'POST', ...empty })),
  ).toMatchObject(errorNamed('MissingPostBody', { expectedMediaType: 'application/json' }))
})

it('P224: a replacement is refused if it deletes too much, and can then be finished with another limit', async () => {
  const objectType = await newType()
  await manage.commit(range(0, 30), { objectType })
  const load = await newLoad(objectType, true)
  await load.part(1, range(0, 20))
  expect(await load.finish()).toMatchObject(
    errorNamed('TooManyDeletions', { objectType, deleted: 10, objectCount: 30, maxDeletions: 3 }),
  )
  expect(await contentsOf(objectType)).toHaveLength(30)
  for (const maxDeletions of [-1, 1.5, '10', 'all', '101%', true, {}]) {
    expect(await load.finish({ maxDeletions })).toMatchObject({
      status: 422,
      parameters: { path: '/maxDeletions' },
    })
  }
  expect(await load.finish({ maxDeletions: '33%' })).toMatchObject({ parameters: { maxDeletions: 9 } })
  expect(await load.finish({ maxDeletions: null })).toMatchObject({ parameters: { maxDeletions: 3 } })
  expect(await load.finish({ maxDeletions: 10 })).toMatchObject({ deleted: 10, unchanged: 20 })
  expect(await contentsOf(objectType)).toHaveLength(20)
})

it('P225: a changed definition ends a load, also on another instance than the one that changed it', async () => {
  const objectType = await newType()
  const load = await newLoad(objectType)
  await load.part(1, range(0, 3))
  const definition = { ...itemDefinition(objectType), description: 'Changed' }
  await service.store.applyObjectType(service.ontology, definition)
  const outdated = { errorName: 'LoadOutdated', parameters: { loadId: load.loadId, objectType } }
  expect(refusalOf(await load.sendPart(2, range(3, 6)))).toMatchObject(outdated)
  expect(await load.finish()).toMatchObject(outdated)
  const again = await newLoad(objectType)
  await again.part(1, range(0, 3))
  expect(await again.finish()).toMatchObject({ created: 3 })
})

const begin = (body: unknown, key?: string) => {
  const asked = jsonBody(body)
  return answerOf(service, `${manage.base}/loads`, {
    ...asked,
    headers: { ...asked.headers, ...(key !== undefined && { 'idempotency-key': key }) },
  })
}

it('P400: a load is begun with 201 and its address, and only for one object type that exists', async () => {
  const objectType = await newType()
  const begun = await begin({ objectTypes: [objectType], replace: null })
  const { loadId } = JSON.parse(begun.text) as Load
  expect([begun.status, begun.headers.get('location')]).toEqual([201, `${manage.base}/loads/${loadId}`])
  const { text } = await answerOf(service, begun.headers.get('location') ?? '')
  expect([text, JSON.parse(text)]).toEqual([begun.text, expect.objectContaining({ replace: false })])
  for (const [body, errorName] of [
    [undefined, 'MissingPostBody'],
    [{}, 'Conjure:UnprocessableEntity'],
    [{ objectTypes: [] }, 'Conjure:UnprocessableEntity'],
    [{ objectTypes: [objectType, objectType] }, 'Conjure:UnprocessableEntity'],
    [{ objectTypes: [objectType], replace: 'yes' }, 'Conjure:UnprocessableEntity'],
    [{ objectTypes: [objectType], replaces: true }, 'UnknownParameter'],
    [{ objectTypes: ['nothing'] }, 'ObjectTypeNotFound'],
  ] as const) {
    expect(refusalOf(await begin(body))).toMatchObject({ errorName })
  }
})

it('P401: a request that is repeated with its idempotency key begins no other load', async () => {
  const [one, other] = [await newType(), await newType()]
  const answers = await Promise.all([1, 2, 3].map(() => begin({ objectTypes: [one] }, 'once')))
  const [first] = answers
  expect(answers.map(({ status, text }) => [status, text])).toEqual([1, 2, 3].map(() => [201, first?.text]))
  for (const body of [{ objectTypes: [other] }, { objectTypes: [one], replace: true }]) {
    expect(refusalOf(await begin(body, 'once'))).toMatchObject(
      errorNamed('IdempotencyKeyConflict', { idempotencyKey: 'once' }),
    )
  }
  expect((await begin({ objectTypes: [one] }, 'twice')).text).not.toBe(first?.text)
  await manage.commit(range(0, 1), { objectType: one, key: 'once' })
})

it('P402: the loads of an ontology are listed in the order in which they were begun, page by page', async () => {
  await service.store.pruneLoads(service.ontology, { unfinishedSeconds: 0, receiptSeconds: 0 })
  const types = [await newType(), await newType()]
  const begun = [
    await newLoad(types[0] ?? ''),
    await newLoad(types[1] ?? '', true),
    await newLoad(types[0] ?? ''),
  ]
  await begun[1]?.part(1, range(0, 2))
  await begun[1]?.finish()
  const seen: Load[] = []
  for (let query = '?pageSize=2'; query !== '';) {
    const answer = await answerOf(service, `${manage.base}/loads${query}`)
    const page = JSON.parse(answer.text) as { readonly data: Load[]; readonly nextPageToken?: string }
    expect(page.data.length).toBeLessThanOrEqual(2)
    seen.push(...page.data)
    query = page.nextPageToken === undefined ? '' : `?pageSize=2&pageToken=${page.nextPageToken}`
  }
  expect(seen).toEqual(await Promise.all(begun.map((load) => load.read())))
  expect(seen.map(({ phase }) => phase)).toEqual(['receiving', 'done', 'receiving'])
  await begun[0]?.giveUp()
  const { text } = await answerOf(service, `${manage.base}/loads`)
  expect(JSON.parse(text)).toEqual({ data: seen.slice(1) })
})

it('P403: a part for another type than that of the load is refused', async () => {
  const [one, other] = [await newType(), await newType()]
  const load = await newLoad(one)
  for (const objectType of [other, 'nothing']) {
    const path = `${manage.base}/loads/${load.loadId}/objectTypes/${objectType}/parts/1`
    const answer = await answerOf(service, path, {
      method: 'PUT',
      body: JSON.stringify(put({ id: 'a' })),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(refusalOf(answer)).toMatchObject(errorNamed('ObjectTypeNotFound', { objectType, known: [one] }))
  }
  expect(await load.read()).toMatchObject({ partCount: 0 })
})

it.each(['%00', 'x', '0'.repeat(32)])('P226: %s is no load, whatever is asked of it', async (loadId) => {
  const load = `${manage.base}/loads/${loadId}`
  const answers = [
    await answerOf(service, load),
    await answerOf(service, load, { method: 'DELETE' }),
    await answerOf(service, `${load}/finish`, { method: 'POST' }),
  ]
  for (const answer of answers) {
    expect(refusalOf(answer)).toMatchObject({ status: 404, errorName: 'LoadNotFound' })
  }
})

it('P226, P405: a load that is given up is gone', async () => {
  const one = await newType()
  const load = await newLoad(one)
  await load.part(1, range(0, 3))
  expect(await load.giveUp()).toMatchObject({ status: 204, text: '' })
  for (const answer of [await load.giveUp(), await load.sendPart(2, range(0, 1))]) {
    expect(refusalOf(answer)).toMatchObject({ status: 404, errorName: 'LoadNotFound' })
  }
  expect(await load.finish()).toMatchObject({ errorName: 'LoadNotFound' })
  expect(await contentsOf(one)).toEqual([])
})

it('P227: an ontology has at most 20 unfinished loads', async () => {
  await service.store.pruneLoads(service.ontology, { unfinishedSeconds: 0, receiptSeconds: 0 })
  const objectType = await newType()
  const begun = []
  for (let i = 0; i < 20; i += 1) begun.push(await newLoad(objectType))
  const refused = await answerOf(service, `${manage.base}/loads`, jsonBody({ objectTypes: [objectType] }))
  expect(refusalOf(refused)).toMatchObject(
    errorNamed('TooManyLoads', { limit: 'unfinishedLoads', maximum: 20 }),
  )
  await begun[0]?.giveUp()
  expect(await newLoad(objectType)).toMatchObject({ loadId: expect.stringMatching(/^[0-9a-f]{32}$/) })
})
