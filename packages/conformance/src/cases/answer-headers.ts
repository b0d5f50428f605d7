// The headers of an answer.
import { createHash } from 'node:crypto'
import { headers as headerNames } from '@octavo/protocol'
import type { Case } from './case.ts'
import { demand } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { getRequest, objectTypePath, objectTypesPath } from '../subject/page-request.ts'
import { requestOf } from '../subject/subject.ts'

export const answerHeaderCases: readonly Case[] = [
  {
    clause: 'P151',
    title: 'a page comes with its digest when that is asked for, and without one otherwise',
    run: async (subject) => {
      const request = requestOf(subject, { pageSize: 3 })
      const headers = { ...request.headers, [headerNames.wantContentDigest]: 'sha-256=1' }
      const exchange = await subject.send({ ...request, headers })
      const digest = `sha-256=:${createHash('sha256').update(exchange.text).digest('base64')}:`
      demand(exchange.headers.get(headerNames.contentDigest) === digest, {
        clause: 'P151',
        expected: `the header Content-Digest: ${digest}`,
        found: exchange.headers.get(headerNames.contentDigest) ?? 'none',
        exchange,
      })
      const plain = await subject.send(request)
      demand(plain.headers.get(headerNames.contentDigest) === null, {
        clause: 'P151',
        expected: 'no Content-Digest without Want-Content-Digest',
        exchange: plain,
      })
    },
  },
  {
    clause: 'P152',
    title: 'an answer carries the id of its request, or a new one',
    run: async (subject) => {
      const request = requestOf(subject, { pageSize: 1 })
      const id = 'octavo-conformance/1:a.b=c'
      const exchange = await subject.send({
        ...request,
        headers: { ...request.headers, [headerNames.requestId]: id },
      })
      demand(exchange.headers.get(headerNames.requestId) === id, {
        clause: 'P152',
        expected: `the header X-Request-Id: ${id}`,
        found: exchange.headers.get(headerNames.requestId) ?? 'none',
        exchange,
      })
      const [one, two] = [await subject.send(request), await subject.send(request)]
      const ids = [one, two].map(({ headers }) => headers.get(headerNames.requestId))
      demand(ids.every((each) => each !== null && each !== '') && ids[0] !== ids[1], {
        clause: 'P152',
        expected: 'a new X-Request-Id for each request that brings none',
        found: ids.join(' and '),
        exchange: two,
      })
    },
  },
  {
    clause: 'P181',
    title: 'HEAD is answered like GET, without a body',
    run: async ({ collection, send }) => {
      for (const path of [objectTypesPath(collection), `${objectTypesPath(collection)}?pageSize=0`]) {
        const asGet = await send(getRequest(path))
        const exchange = await send({ ...getRequest(path), method: 'HEAD' })
        const type = asGet.headers.get(headerNames.contentType)
        demand(
          exchange.status === asGet.status &&
            exchange.text === '' &&
            exchange.headers.get(headerNames.contentType) === type,
          { clause: 'P181', expected: `${asGet.status}, the content type ${type} and no body`, exchange },
        )
      }
    },
  },
  {
    clause: 'P211',
    title: 'an object type has a tag, and is not sent again to a caller that has it',
    run: async ({ collection, send }) => {
      const request = getRequest(objectTypePath(collection))
      const full = await send(request)
      const tag = full.headers.get(headerNames.etag) ?? ''
      demand(/^(W\/)?"[^"]+"$/.test(tag), {
        clause: 'P211',
        expected: 'the header ETag',
        found: tag === '' ? 'none' : tag,
        exchange: full,
      })
      for (const held of [tag, `"another", ${tag}`, '*']) {
        const exchange = await send({ ...request, headers: { [headerNames.ifNoneMatch]: held } })
        demand(
          exchange.status === 304 && exchange.text === '' && exchange.headers.get(headerNames.etag) === tag,
          { clause: 'P211', expected: `304 with the header ETag: ${tag}, and no body`, exchange },
        )
      }
      const other = await send({ ...request, headers: { [headerNames.ifNoneMatch]: '"another"' } })
      demand(other.status === 200 && other.text === full.text, {
        clause: 'P211',
        expected: '200 and the full answer for another tag',
        exchange: other,
      })
    },
  },
  {
    clause: 'P212',
    title: 'a tag does not answer a request that is refused without it',
    run: async ({ collection, send }) => {
      const request = getRequest(objectTypePath(collection))
      const tag = (await send(request)).headers.get(headerNames.etag) ?? '*'
      for (const held of [tag, '*']) {
        const headers = { [headerNames.ifNoneMatch]: held }
        const stranger = await send({ ...request, headers }, { token: null })
        demandRefusal(stranger, {
          clause: 'P212',
          name: 'Default:Unauthorized',
          because: 'the request carries no bearer token',
        })
        const unknown = getRequest(objectTypePath({ ...collection, objectType: 'octavoConformanceNone' }))
        demandRefusal(await send({ ...unknown, headers }), {
          clause: 'P212',
          name: 'ObjectTypeNotFound',
          because: 'no object type has this name',
        })
      }
    },
  },
]
