// Writes the pages of a walk, one after another, to a target.
import type { Page, Walk } from '@octavo/client'
import type { PartState } from './export-state.ts'
import type { ExportTarget } from './export-target.ts'
import type { Properties } from './object-line.ts'
import type { ObjectWriter } from './object-writer.ts'

export interface WalkToWrite {
  readonly walk: Walk<{ readonly properties: Properties }>
  readonly writer: ObjectWriter
  readonly target: ExportTarget
  readonly state: PartState
  /** Saves the state; undefined if the walk cannot be resumed. */
  readonly save: ((state: PartState) => Promise<void>) | undefined
  readonly onPage: (state: PartState, page: Page<unknown>) => void
}

/** Often enough that little is read again, rarely enough that it costs nothing. */
const saveEveryMs = 500

export async function writeWalk(given: WalkToWrite): Promise<PartState> {
  const { walk, writer, target, save } = given
  let state = given.state
  let savedAt = performance.now()
  // The walk's position advances as soon as a page is taken; the file only once the page is written.
  let agree = true
  const keep = async (): Promise<void> => {
    savedAt = performance.now()
    await save?.(state)
  }
  try {
    await writer.begin()
    for await (const page of walk.pages()) {
      agree = false
      await writer.write(page.data)
      state = { ...state, objects: state.objects + page.data.length, bytes: target.bytes() }
      agree = true
      given.onPage(state, page)
      if (save === undefined || performance.now() - savedAt < saveEveryMs) continue
      state = { ...state, walk: walk.save() }
      await keep()
    }
    await writer.end()
    // What its objects add up to is part of the end of a walk.
    state = { ...state, walk: walk.save() }
    await keep()
    return state
  } catch (error) {
    if (agree) {
      state = { ...state, walk: walk.save() }
      await keep()
    }
    throw error
  }
}
