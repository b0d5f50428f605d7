// Writes the pages of a walk, one after another, to a target.
import type { Page, Walk } from '@octavo/client'
import type { Properties } from './object-line.ts'
import type { ObjectWriter } from './object-writer.ts'

/** How far a walk has been written. */
export interface WrittenWalk {
  /** The client's saved walk. */
  readonly walk: string
  readonly objects: number
}

export interface WalkToWrite {
  readonly walk: Walk<{ readonly properties: Properties }>
  readonly writer: ObjectWriter
  readonly state: WrittenWalk
  /** Saves the state, and what the target has by then; undefined if the walk cannot be resumed. */
  readonly save: ((state: WrittenWalk) => Promise<void>) | undefined
  readonly onPage: (state: WrittenWalk, page: Page<unknown>) => void
}

/** Often enough that little is read again, rarely enough that waiting for the disk costs little. */
const saveEveryMs = 1_000

export async function writeWalk(given: WalkToWrite): Promise<void> {
  const { walk, writer, save } = given
  let state = given.state
  let savedAt = performance.now()
  // The walk's position advances as soon as a page is taken; the file only once the page is written.
  let agree = false
  const keep = async (): Promise<void> => {
    savedAt = performance.now()
    state = { ...state, walk: walk.save() }
    await save?.(state)
  }
  try {
    await writer.begin()
    agree = true
    for await (const page of walk.pages()) {
      agree = false
      await writer.write(page.data)
      state = { ...state, objects: state.objects + page.data.length }
      agree = true
      given.onPage(state, page)
      if (save !== undefined && performance.now() - savedAt >= saveEveryMs) await keep()
    }
    await writer.end()
    // The checksum of its objects comes with the end of a walk.
    await keep()
  } catch (error) {
    if (agree) await keep()
    throw error
  }
}
