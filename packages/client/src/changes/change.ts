import type { Page } from '../walk/check-page.ts'

/** One object that is different in the later of two states. */
export type Change<Item> =
  | {
      readonly type: 'put'
      readonly primaryKey: string
      /** The object in the later state, as a walk returns it. */
      readonly object: Item
    }
  | {
      readonly type: 'delete'
      readonly primaryKey: string
      /** `left` if the object is still there, and no longer matches the query. */
      readonly reason: 'deleted' | 'left'
    }

/** Why a difference is a whole copy: there was no state to begin at, or why the changes since it are not known (P275). */
export type RestartReason = 'first' | 'tooOld' | 'historyChanged' | 'accessChanged'

/** The state that a difference leads to, from its last page. */
export interface Reached {
  readonly snapshotToken: string
  /** The version of the earlier state; `0` for a whole copy. */
  readonly fromVersion: string
  readonly toVersion: string
  readonly totalCount: string | undefined
  readonly checksum: string | undefined
}

export interface DifferencePage<Item> {
  readonly changes: readonly Change<Item>[]
  /** The token is empty on all pages but the last. */
  readonly reached: Reached
}

export interface SentPage<Item> extends Page<Change<Item>> {
  readonly fromVersion?: string
  readonly toVersion?: string
}

export const receivedPage = <Item>(page: SentPage<Item>): DifferencePage<Item> => ({
  changes: page.data,
  reached: reachedBy(page),
})

/** A state as a difference from nothing: every object is put. */
export const wholePage = <Item extends { readonly primaryKey: string }>(
  page: Page<Item>,
): DifferencePage<Item> => ({
  changes: page.data.map((object) => ({ type: 'put', primaryKey: object.primaryKey, object })),
  reached: reachedBy(page),
})

const reachedBy = ({
  snapshotToken = '',
  version = '',
  fromVersion = '0',
  toVersion = version,
  totalCount,
  checksum,
}: Omit<SentPage<unknown>, 'data'>): Reached => ({
  snapshotToken,
  fromVersion,
  toVersion,
  totalCount,
  checksum,
})

/** The same pages, each received in this way. */
export const receivedFrom = <Sent, Item>(
  pages: AsyncIterator<Sent, undefined>,
  receive: (page: Sent) => DifferencePage<Item>,
): AsyncIterator<DifferencePage<Item>, undefined> => ({
  next: async () => {
    const { done, value } = await pages.next()
    return done ? { done, value: undefined } : { done: false, value: receive(value) }
  },
  return: async () => {
    await pages.return?.()
    return { done: true, value: undefined }
  },
})
