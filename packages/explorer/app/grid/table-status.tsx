import { numberText } from '../types/type-list.tsx'
import { go } from '../url/location.ts'
import type { PageTiming } from '../service/page-timing.ts'
import { openTable, type Table } from './table.ts'

interface TableStatusProps {
  readonly table: Table
  readonly onEarlier: () => void
}

/** How many there are, and in which state: the total is of that version, exactly, or says that it is not. */
export function TableStatus({ table, onEarlier }: TableStatusProps) {
  const { rows, isExact, version, skimming } = table.reading.state.value
  const { at } = table.request
  const total = isExact ? numberText(rows) : rows === 0 ? '…' : `at least ${numberText(rows)}`
  return (
    <footer class="status">
      <span role="status">
        <strong class="total">{total}</strong>{' '}
        {table.request.query === undefined ? 'objects' : 'objects that match'}
        {version !== undefined && <> at version {numberText(version)}</>}
        {skimming !== undefined && <> · reading on to there, at row {numberText(skimming)}</>}
      </span>
      <Timing timing={table.timing.value} />
      <span class="status-actions">
        {at === undefined && (
          <>
            <button class="plain" onClick={onEarlier}>
              As it was…
            </button>
            <button
              class="plain"
              title="The address then names this state, also for others"
              onClick={() => go({ at: table.snapshotToken })}
            >
              Keep this state
            </button>
            <button class="plain" onClick={() => void openTable(table.request)}>
              Refresh
            </button>
          </>
        )}
      </span>
    </footer>
  )
}

/** What the service took for the page that came last, of which the database had its part. */
const Timing = ({ timing }: { readonly timing: PageTiming | undefined }) =>
  timing === undefined ? null : (
    <span class="timing" title={timing.stages.map(([name, ms]) => `${name} ${ms.toFixed(1)} ms`).join(', ')}>
      last page: database {timing.readMs.toFixed(1)} of {timing.totalMs.toFixed(1)} ms
    </span>
  )
