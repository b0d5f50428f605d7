// Follows the change feed from the state that the table shows. Rows that change show what they are now, and light up.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { notify } from '../controls/notices.tsx'
import type { Table } from '../grid/table.ts'
import { failureOf, octavo } from '../service/api.ts'
import { numberText } from '../types/type-list.tsx'
import { forgetChanges, showChanges, type SeenChange } from './changed-keys.ts'

interface Following {
  readonly isOn: boolean
  readonly changes: number
}

const off: Following = { isOn: false, changes: 0 }

export function LiveButton({ table }: { readonly table: Table }) {
  const state = useSignal(off)
  const stop = useRef(() => {})
  /** Where to continue after a pause. */
  const reached = useRef(table.snapshotToken)
  useEffect(() => {
    reached.current = table.snapshotToken
    state.value = off
    return () => {
      stop.current()
      forgetChanges()
    }
  }, [table])

  const follow = async (signal: AbortSignal): Promise<void> => {
    const { family, type, query } = table.request
    const differences = octavo()
      .family(family)
      .objects(type)
      .follow({
        fromSnapshotToken: reached.current,
        signal,
        ...(query !== undefined && { query }),
        onState: ({ snapshotToken }) => {
          reached.current = snapshotToken
        },
      })
    await differences.each(async (difference) => {
      const seen: SeenChange[] = []
      for await (const change of difference) {
        seen.push({
          primaryKey: change.primaryKey,
          object: change.type === 'put' ? change.object : undefined,
        })
      }
      if (seen.length === 0 || signal.aborted) return
      showChanges(seen)
      state.value = { isOn: true, changes: state.value.changes + seen.length }
    })
  }
  const toggle = (): void => {
    if (state.value.isOn) {
      stop.current()
      state.value = { ...state.value, isOn: false }
      return
    }
    const controller = new AbortController()
    stop.current = () => controller.abort()
    state.value = { ...state.value, isOn: true }
    follow(controller.signal).catch((error: unknown) => {
      if (controller.signal.aborted) return
      state.value = { ...state.value, isOn: false }
      notify(`Changes are not followed any more: ${failureOf(error).sentence}`)
    })
  }
  const { isOn, changes } = state.value
  return (
    <button
      class={isOn ? 'live on' : 'live'}
      aria-pressed={isOn}
      title={isOn ? 'Pause' : 'Show changes as they happen'}
      onClick={toggle}
    >
      <span class="lamp" aria-hidden="true" />
      Live{changes > 0 && <>: {numberText(changes)}</>}
    </button>
  )
}
