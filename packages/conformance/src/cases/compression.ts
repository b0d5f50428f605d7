// Compressed answers. `fetch` unpacks them, so that a case sees what every client sees.
import { createHash } from 'node:crypto'
import { answerCodings, headers as headerNames } from '@octavo/protocol'
import { demand, skip } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { requestOf, type Subject } from '../subject/subject.ts'
import type { Case } from './case.ts'

/** A page that is long enough to be compressed, on most servers. */
const askFor = (
  subject: Subject,
  headers: Readonly<Record<string, string>>,
  pageSize = subject.sample.length,
): Promise<Exchange> => {
  const request = requestOf(subject, { pageSize })
  return subject.send({ ...request, headers: { ...request.headers, ...headers } })
}

const accepting = (codings: string) => ({ [headerNames.acceptEncoding]: codings })
const codingOf = ({ headers }: Exchange): string => headers.get(headerNames.contentEncoding) ?? 'none'

/** The page token of the same page differs from answer to answer. */
const withoutToken = (text: string): string => text.replace(/"nextPageToken":\s*"[^"]*"/, '')

/** How zstd begins, read as text: a `fetch` that is too old does not unpack it. */
const zstdBegins = '(\uFFFD/\uFFFD'

const digestOf = ({ text }: Exchange): string =>
  `sha-256=:${createHash('sha256').update(text).digest('base64')}:`

export const compressionCases: readonly Case[] = [
  {
    clause: 'P232',
    title: 'a compressed page unpacks to the page that is sent without compression',
    run: async (subject) => {
      for (const coding of answerCodings) {
        for (const pageSize of [3, subject.sample.length]) {
          const plain = await askFor(subject, accepting('identity'), pageSize)
          demand(codingOf(plain) === 'none', {
            clause: 'P232',
            expected: 'no Content-Encoding, because the request accepts identity only',
            exchange: plain,
          })
          const exchange = await askFor(subject, accepting(coding), pageSize)
          if (exchange.text.startsWith(zstdBegins)) continue
          demand([coding, 'none'].includes(codingOf(exchange)), {
            clause: 'P232',
            expected: `the Content-Encoding ${coding} or none`,
            found: codingOf(exchange),
            exchange,
          })
          demand(withoutToken(exchange.text) === withoutToken(plain.text), {
            clause: 'P232',
            expected: `the page that is sent without compression, once ${coding} is unpacked`,
            exchange,
          })
        }
      }
    },
  },
  {
    clause: 'P233',
    title: 'a coding with the weight 0 is not used, and one with a smaller weight not before another',
    run: async (subject) => {
      for (const [accepted, allowed] of [
        ['zstd;q=0, br;q=0, gzip;q=0', ['none']],
        ['identity, *;q=0', ['none']],
        ['gzip;q=0.1, br;q=0.9', ['br', 'none']],
        ['br;q=0.1, gzip', ['gzip', 'none']],
      ] as const) {
        const exchange = await askFor(subject, accepting(accepted))
        demand(
          allowed.some((each) => each === codingOf(exchange)),
          {
            clause: 'P233',
            expected: `the Content-Encoding ${allowed.join(' or ')} for Accept-Encoding: ${accepted}`,
            found: codingOf(exchange),
            exchange,
          },
        )
      }
    },
  },
  {
    clause: 'P235',
    title: 'where pages are compressed, every page says that it depends on Accept-Encoding',
    run: async (subject) => {
      const packed = await askFor(subject, accepting('gzip'))
      if (codingOf(packed) === 'none') skip('needs a server that compresses its pages with gzip')
      for (const exchange of [packed, await askFor(subject, accepting('identity'))]) {
        const varies = exchange.headers.get('vary') ?? 'none'
        demand(/(^|,)\s*(accept-encoding|\*)\s*(,|$)/i.test(varies), {
          clause: 'P235',
          expected: 'the header Vary with Accept-Encoding',
          found: varies,
          exchange,
        })
      }
    },
  },
  {
    clause: 'P236',
    title: 'a page whose Content-Digest is wanted is not compressed, and has it',
    run: async (subject) => {
      const wanted = { ...accepting('gzip'), [headerNames.wantContentDigest]: 'sha-256=1' }
      const exchange = await askFor(subject, wanted)
      const digest = exchange.headers.get(headerNames.contentDigest)
      demand(codingOf(exchange) === 'none' && digest === digestOf(exchange), {
        clause: 'P236',
        expected: `no Content-Encoding, and Content-Digest: ${digestOf(exchange)}`,
        found: `${codingOf(exchange)}, and ${digest}`,
        exchange,
      })
    },
  },
]
