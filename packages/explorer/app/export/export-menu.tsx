// Everything that matches, as a file: not what is on the screen, and not a part of it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Popover } from '../controls/popover.tsx'
import type { Table } from '../grid/table.ts'
import type { ExportFormat, ExportProgress, ExportResult, ReaderFailure } from '../reader/messages.ts'
import { startReader } from '../reader/start-reader.ts'
import { token } from '../sign-in/session.ts'
import { numberText } from '../types/type-list.tsx'

type ExportState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'running'; readonly objects: number; readonly stop: () => void }
  | ExportResult
  | ReaderFailure

interface ExportMenuProps {
  readonly table: Table
  readonly columns: readonly string[]
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export function ExportMenu({ table, columns }: ExportMenuProps) {
  const state = useSignal<ExportState>({ kind: 'ready' })
  const stop = (): void => {
    if (state.value.kind === 'running') state.value.stop()
    state.value = { kind: 'ready' }
  }
  useEffect(() => stop, [])
  const begin = (format: ExportFormat): void => {
    const { family, type, query, order } = table.request
    const target = { url: location.origin, token: token.value ?? '', family, type }
    const job = {
      kind: 'export',
      ...target,
      format,
      columns,
      query,
      order,
      snapshotToken: table.snapshotToken,
    }
    const end = startReader<ExportProgress | ExportResult>(job, {
      onMessage: (message) => {
        if (message.kind === 'progress') {
          state.value = { kind: 'running', objects: message.objects, stop: end }
          return
        }
        end()
        state.value = message
        if (message.kind === 'exported') save(message.file, `${type}.${format}`)
      },
    })
    state.value = { kind: 'running', objects: 0, stop: end }
  }
  const { rows, isExact } = table.reading.state.value
  const what = table.request.query === undefined ? 'objects' : 'objects that match'
  const now = state.value
  return (
    <Popover label={now.kind === 'running' ? `Export: ${numberText(now.objects)}` : 'Export'} title="Export">
      <div class="export">
        <p>
          All {isExact ? numberText(rows) : ''} {what}, as they are in this state.
        </p>
        {now.kind === 'running' ? (
          <>
            <progress aria-label="Exported" {...(isExact && rows > 0 && { max: rows, value: now.objects })} />
            <p role="status">
              {numberText(now.objects)} {isExact && <>of {numberText(rows)}</>}
            </p>
            <button onClick={stop}>Cancel</button>
          </>
        ) : (
          <p class="choices">
            <button class="primary" onClick={() => begin('csv')}>
              CSV
            </button>
            <button class="primary" onClick={() => begin('ndjson')}>
              NDJSON
            </button>
          </p>
        )}
        {now.kind === 'exported' && (
          <p role="status" class="good">
            Saved {numberText(now.objects)} {what}, complete
            {now.version !== undefined && <> at version {numberText(now.version)}</>}.
            {now.checksum !== undefined && (
              <>
                {' '}
                Their checksum is that of the state: <code>{now.checksum}</code>
              </>
            )}
          </p>
        )}
        {now.kind === 'failed' && (
          <p role="alert" class="problem">
            Nothing was saved. {now.sentence}
          </p>
        )}
        <p class="faint">
          CSV has the columns in sight, in their order; a spreadsheet may take a text that begins with =, +, -
          or @ for a formula. NDJSON has every property.
        </p>
      </div>
    </Popover>
  )
}
