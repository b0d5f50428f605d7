import { setTimeout as sleep } from 'node:timers/promises'
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { filterFor, orderProperties, spreadObjects } from '../subject/chosen-objects.ts'
import type { PageAsk } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import { keysOf } from '../subject/read-walk.ts'
import { askForPage, type Subject } from '../subject/subject.ts'

/** The plain first page: a token that the user gives to the kit must come from the same request. */
const plain = { pageSize: 2 } as const

/** `clause` is the clause that is broken if the page is refused. */
export async function tokenOf(subject: Subject, ask: PageAsk = plain, clause = 'P2'): Promise<string> {
  const { page, exchange } = await readPage(subject, clause, ask)
  demand(page.nextPageToken !== undefined, {
    clause: 'P2',
    expected: 'a nextPageToken, since more objects exist',
    exchange,
  })
  return page.nextPageToken
}

export const pageTokenCases: readonly Case[] = [
  {
    clause: 'P10',
    title: 'a token is safe in a URL and at most 8,192 characters long, in every order and mode',
    run: async (subject) => {
      const orders = [undefined, ...orderProperties(subject).slice(0, 5)]
      for (const property of orders) {
        const orderBy = property && [{ property: property.name, direction: 'desc' } as const]
        for (const snapshot of [false, true]) await tokenOf(subject, { ...plain, snapshot, orderBy })
      }
      await tokenOf(subject, { ...plain, filter: filterFor(subject, spreadObjects(subject, 5)) })
    },
  },
  {
    clause: 'P11',
    title: 'a token that was changed or made up is refused as malformed',
    run: async (subject) => {
      const token = await tokenOf(subject)
      for (const pageToken of [...changed(token), ...madeUp]) {
        const exchange = await askForPage(subject, { ...plain, pageToken })
        demandRefusal(exchange, {
          clause: 'P11',
          name: 'InvalidPageToken',
          parameters: { reason: 'malformed' },
          because: 'the server did not make this token',
        })
      }
    },
  },
  {
    clause: 'P12',
    title: 'a token that has become too old is refused as expired',
    run: async (subject) => {
      const { expiredPageToken, tokenLifeSeconds } = subject
      if (expiredPageToken === undefined && tokenLifeSeconds === undefined) {
        skip('needs --expired-page-token, or --token-life-seconds on a server whose tokens live shortly')
      }
      let pageToken = expiredPageToken
      if (pageToken === undefined) {
        pageToken = await tokenOf(subject)
        await sleep(((tokenLifeSeconds ?? 0) + 1.5) * 1_000)
      }
      demandRefusal(await askForPage(subject, { ...plain, pageToken }), {
        clause: 'P12',
        name: 'InvalidPageToken',
        parameters: { reason: 'expired' },
        because: 'the token is older than the life of tokens',
      })
    },
  },
  {
    clause: 'P13',
    title: 'a token is valid on another instance of the deployment',
    run: async (subject) => {
      const { otherUrl } = subject
      if (otherUrl === undefined) skip('needs --other-url, a second instance')
      const pageToken = await tokenOf(subject)
      const here = await readPage(subject, 'P13', { ...plain, pageToken })
      const there = await readPage(subject, 'P13', { ...plain, pageToken }, { url: otherUrl })
      demand(
        JSON.stringify(keysOf(subject, here.page.data)) === JSON.stringify(keysOf(subject, there.page.data)),
        { clause: 'P13', expected: 'the same page from both instances', exchange: there.exchange },
      )
    },
  },
  {
    clause: 'P14',
    title: 'a token of one caller is refused to another',
    run: async (subject) => {
      const { otherToken } = subject
      if (otherToken === undefined) skip('needs --other-token, of a second caller who may read the type')
      await readPage(subject, 'P14', plain, { token: otherToken })
      const pageToken = await tokenOf(subject)
      demandRefusal(await askForPage(subject, { ...plain, pageToken }, { token: otherToken }), {
        clause: 'P14',
        name: 'InvalidPageToken',
        parameters: { reason: 'otherCaller' },
        because: 'the token belongs to another caller',
      })
    },
  },
  {
    clause: 'P15',
    title: 'a token used twice gives the same position again',
    run: async (subject) => {
      for (const snapshot of [false, true]) {
        const ask = { ...plain, snapshot }
        const pageToken = await tokenOf(subject, ask)
        const once = await readPage(subject, 'P15', { ...ask, pageToken })
        const { nextPageToken } = once.page
        if (nextPageToken !== undefined) await readPage(subject, 'P15', { ...ask, pageToken: nextPageToken })
        const again = await readPage(subject, 'P15', { ...ask, pageToken })
        demand(JSON.stringify(once.page.data) === JSON.stringify(again.page.data), {
          clause: 'P15',
          expected: 'the data that the same token gave before',
          exchange: again.exchange,
        })
      }
    },
  },
  {
    clause: 'P18',
    title: 'a request without a token starts again at the first object',
    run: async (subject) => {
      const first = await readPage(subject, 'P18', plain)
      await readPage(subject, 'P18', { ...plain, pageToken: first.page.nextPageToken })
      const again = await readPage(subject, 'P18', plain)
      demand(JSON.stringify(first.page.data) === JSON.stringify(again.page.data), {
        clause: 'P18',
        expected: 'the first page again',
        exchange: again.exchange,
      })
    },
  },
]

export const madeUp: readonly string[] = ['AAAA', 'abc def', '%', '0', 'null', '']

/** The token with one character changed at several positions, one character less, one more, and two tokens concatenated. */
export function changed(token: string): readonly string[] {
  const positions = [0, 1, 2, 5, 0.25, 0.5, 0.75].map((at) => (at < 1 ? Math.floor(at * token.length) : at))
  const replaced = [...new Set([...positions, token.length - 2, token.length - 1])]
    .filter((at) => at >= 0 && at < token.length)
    .map((at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1))
  return [...replaced, token.slice(0, -1), token.slice(1), `${token}A`, token + token]
}
