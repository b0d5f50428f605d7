import type { ModelWalk } from '../model-server/model-token.ts'
import type { BrokenServer } from './broken-server.ts'
import { matches } from '../model-server/model-data.ts'
import { correctSteps } from '../model-server/steps.ts'
import { refuse } from '../model-server/model-refusal.ts'
import { identityOf } from '../model-server/model-ask.ts'

const mostInPage = 40

const mostObjects = 40

export const silentCap: BrokenServer = {
  name: 'silent-cap',
  mistake: 'stops a walk after a number of objects, and lets that look like the end',
  clause: 'P6',
  also: ['P2', 'P33', 'P35', 'P42', 'P250', 'P252', 'P255'],
  steps: () => ({
    tokenField: ({ hasMore, returned }, seal) => (hasMore && returned < mostObjects ? seal() : undefined),
  }),
}

export const brokenPageTokensAndSizes: readonly BrokenServer[] = [
  {
    name: 'bad-token-fails-inside',
    mistake: 'trusts that a token can be read, and fails with an internal error when it cannot',
    clause: 'P11',
    also: ['P110', 'P262'],
    steps: () => ({
      openToken: (token, box) => {
        const walk = box.open(String(token)) as ModelWalk | undefined
        if (walk === undefined) throw new Error('Unexpected end of JSON input')
        return walk
      },
    }),
  },
  {
    name: 'bad-token-starts-again',
    mistake: 'answers a token that it cannot read with the first page, so a client walks in circles',
    clause: 'P11',
    also: ['P102', 'P103', 'P104', 'P105', 'P110', 'P262'],
    steps: () => ({
      openToken: (token, box) => box.open(String(token)) as ModelWalk | undefined,
    }),
  },
  {
    name: 'empty-page-with-token',
    mistake: 'filters a page after it was cut, so a page may be empty while more exist',
    clause: 'P5',
    also: ['P3'],
    steps: () => ({
      takePage: (rest, size, { query }) => {
        const cut = rest.slice(0, size)
        return {
          objects: cut.filter((object) => matches(query, object)),
          hasMore: rest.length > size,
          last: cut.at(-1),
        }
      },
    }),
  },
  {
    name: 'empty-string-token',
    mistake: 'sends an empty nextPageToken on the last page, with which some clients walk for ever',
    clause: 'P2',
    steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : '') }),
  },
  {
    name: 'expired-token-accepted',
    mistake: 'never looks at the age of a token',
    clause: 'P12',
    steps: () => ({
      checkWalk: (walk, ask, caller) =>
        correctSteps.checkWalk({ ...walk, issuedAt: Date.now() }, ask, caller),
    }),
  },
  {
    name: 'large-page-size-refused',
    mistake: 'refuses a page size above its maximum instead of reducing it',
    clause: 'P20',
    also: ['P23'],
    steps: () => ({
      pageSizeOf: (asked, sizes) =>
        typeof asked === 'number' && asked > sizes.maximum
          ? refuse('InvalidPageSize', { pageSize: String(asked) })
          : correctSteps.pageSizeOf(asked, sizes),
    }),
  },
  {
    name: 'null-token',
    mistake: 'sends "nextPageToken": null on the last page, which revision 2.0 does not know',
    clause: 'P4',
    revision: '2.0',
    steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : null) }),
  },
  {
    name: 'other-callers-token',
    mistake: 'lets any caller continue the walk of another',
    clause: 'P14',
    also: ['P256'],
    steps: () => ({
      checkWalk: (walk, ask, caller) => correctSteps.checkWalk({ ...walk, caller }, ask, caller),
    }),
  },
  {
    name: 'page-size-bound',
    mistake: 'binds the page size into the token, and refuses a walk that changes it',
    clause: 'P22',
    also: ['P3', 'P5', 'P35', 'P39', 'P40', 'P41', 'P42', 'P32', 'P33', 'P36', 'P70', 'P254', 'P256', 'P263'],
    steps: () => {
      const sizes = new Map<number, unknown>()
      return {
        checkWalk: (walk, ask, caller) => {
          correctSteps.checkWalk(walk, ask, caller)
          const size = sizes.get(walk.startedAt) ?? ask.pageSize
          sizes.set(walk.startedAt, size)
          if (size !== ask.pageSize)
            refuse('InvalidPageToken', { reason: 'requestChanged', changed: ['pageSize'] })
        },
      }
    },
  },
  {
    name: 'page-size-without-maximum',
    mistake: 'sends pages as large as anybody asks for',
    clause: 'P20',
    also: ['P23'],
    objects: 1_300,
    steps: () => ({
      pageSizeOf: (asked, sizes) =>
        correctSteps.pageSizeOf(asked, { ...sizes, maximum: Number.POSITIVE_INFINITY }),
    }),
  },
  {
    name: 'page-size-zero-accepted',
    mistake: 'takes a page size of zero for none at all',
    clause: 'P21',
    also: ['P110'],
    steps: () => ({
      pageSizeOf: (asked, sizes) => correctSteps.pageSizeOf(asked === 0 ? undefined : asked, sizes),
    }),
  },
  {
    name: 'short-page-is-the-end',
    mistake: 'sends fewer objects than asked for, and takes the short page for the last one',
    clause: 'P6',
    also: ['P3', 'P33', 'P35', 'P42', 'P45', 'P68', 'P150', 'P245', 'P255', 'P272', 'P317'],
    steps: () => ({
      takePage: (rest, size, ask) => {
        const page = correctSteps.takePage(rest, Math.min(size, mostInPage), ask)
        return { ...page, hasMore: page.hasMore && page.objects.length === size }
      },
    }),
  },
  silentCap,
  {
    name: 'token-not-bound-to-query',
    mistake: 'accepts a token with any request, and continues in another collection',
    clause: 'P25',
    also: ['P24', 'P26', 'P244', 'P254'],
    steps: () => ({
      checkWalk: (walk, ask, caller) =>
        correctSteps.checkWalk({ ...walk, identity: identityOf(ask) }, ask, caller),
    }),
  },
  {
    name: 'token-not-url-safe',
    mistake: 'writes tokens in plain base64, whose signs mean something else in a URL',
    clause: 'P10',
    steps: () => ({
      tokenField: ({ hasMore }, seal) => (hasMore ? `${seal()}==` : undefined),
      openToken: (token, box) => correctSteps.openToken(String(token).replace(/==$/, ''), box),
    }),
  },
  {
    name: 'token-on-full-last-page',
    mistake: 'takes a full page for a sign that more exist, without looking one object ahead',
    clause: 'P3',
    also: ['P242'],
    steps: () => ({
      tokenField: ({ objects, size }, seal) => (objects.length === size ? seal() : undefined),
    }),
  },
  {
    name: 'token-used-once',
    mistake: 'keeps a reader on the server, which a token moves on: a request that is sent again is refused',
    clause: 'P15',
    also: ['P13', 'P14', 'P25', 'P26', 'P115', 'P180', 'P244', 'P254', 'P256', 'P263', 'P278'],
    steps: () => {
      const used = new Set<unknown>()
      return {
        openToken: (token, box) => {
          if (used.has(token)) refuse('InvalidPageToken', { reason: 'malformed' })
          used.add(token)
          return correctSteps.openToken(token, box)
        },
      }
    },
  },
  {
    name: 'unauthenticated-second-page',
    mistake: 'takes the page token for a credential, so later pages need no other',
    clause: 'P115',
    also: ['P116'],
    steps: () => ({
      callerOf: (bearer, request) =>
        correctSteps.callerOf(bearer, request) ?? (request.hasPageToken ? 'ada' : undefined),
    }),
  },
]
