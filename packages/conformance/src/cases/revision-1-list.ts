// A list of revision 1.0 with any parameters, including ones that `PageAsk` cannot express.
import { demand } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { collectionPath, getRequest } from '../subject/page-request.ts'
import { pageOf } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'

export const list = (
  subject: Subject,
  parameters: readonly (readonly [string, unknown])[],
): Promise<Exchange> =>
  subject.send(
    getRequest(
      `${collectionPath(subject.collection)}?${parameters
        .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
        .join('&')}`,
    ),
  )

/** The keys of one page of a list; the request must be accepted. */
export async function listed(
  subject: Subject,
  clause: string,
  parameters: readonly (readonly [string, unknown])[],
) {
  const exchange = await list(subject, parameters)
  demand(exchange.status === 200, { clause, expected: 'a page with status 200', exchange })
  return { exchange, records: pageOf(exchange, '1.0').data }
}
