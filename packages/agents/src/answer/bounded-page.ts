import { answerBytes, bytesOf, envelopeBytes } from './answer-limit.ts'
import { fitItems } from './fit-items.ts'

interface Page<Item> {
  readonly data: readonly Item[]
  readonly nextPageToken?: string
}

interface PageQuestion<Item, Asked extends Page<Item>> {
  readonly pageSize: number
  /** The same request with another page size gives the same first items: it names a state (P15, P22). */
  readonly ask: (pageSize: number) => Promise<Asked>
  /** An item in at most so many bytes. */
  readonly shown: (item: Item, mostBytes: number) => object
  readonly answer: (items: readonly object[], page: Asked) => Promise<object>
}

/**
 * A page whose answer fits (P371). Octavo ends a page by the number of its objects and gives a token there, so a page that is too
 * large is asked for again with as many as fit.
 */
export async function boundedPage<Item, Asked extends Page<Item>>({
  pageSize,
  ask,
  shown,
  answer,
}: PageQuestion<Item, Asked>): Promise<object> {
  let mostBytes = answerBytes - envelopeBytes
  let page = await ask(pageSize)
  for (;;) {
    const items = fitItems(
      page.data.map((item) => shown(item, mostBytes)),
      mostBytes,
    )
    if (items.length < page.data.length) {
      page = await ask(items.length)
      continue
    }
    const made = await answer(items, page)
    const excess = bytesOf(made) - answerBytes
    // Tokens are as long as the keys of the objects, so only now it is known how much room they leave.
    if (excess <= 0 || mostBytes <= excess) return made
    mostBytes -= excess
  }
}
