// The table of a type with everything around it: filter, order, columns, total, and the object that is open.
import { useEffect, useState } from 'preact/hooks'
import { CopyAs } from '../copy-as/copy-as.tsx'
import { ExportMenu } from '../export/export-menu.tsx'
import { FilterBar } from '../filter/filter-bar.tsx'
import { copyText } from '../controls/copy-button.tsx'
import { Declaration, FailureView } from '../controls/failure-view.tsx'
import { lazy } from '../controls/lazy.tsx'
import { notify } from '../controls/notices.tsx'
import type { EarlierStatesProps } from '../earlier/earlier-states.tsx'
import type { FacetsProps } from '../facets/facets.tsx'
import { FacetsButton } from '../facets/facets-button.tsx'
import { changedKeys, newerObjects } from '../live/changed-keys.ts'
import { LiveButton } from '../live/live-button.tsx'
import { ObjectPanel } from '../object/object-panel.tsx'
import { failureOf } from '../service/api.ts'
import type { FoundType } from '../types/catalog.ts'
import { go, view } from '../url/location.ts'
import { cellText, wholeText } from '../grid/cell-text.ts'
import {
  chooseColumns,
  rememberColumns,
  rememberedColumns,
  type Column,
  type ColumnSettings,
} from '../grid/columns.ts'
import { ColumnsMenu } from '../grid/columns-menu.tsx'
import { Grid } from '../grid/grid.tsx'
import { OrderMenu } from '../grid/order-menu.tsx'
import { TableStatus } from '../grid/table-status.tsx'
import { closeTable, openTable, tableState, type Table } from '../grid/table.ts'

const EarlierStates = lazy<EarlierStatesProps>(
  async () => (await import('../earlier/earlier-states.tsx')).EarlierStates,
)

const Facets = lazy<FacetsProps>(async () => (await import('../facets/facets.tsx')).Facets)

export function RowsView({ family, type }: FoundType) {
  const { query, order, at, columns: named, facets, object } = view.value
  const [settings, setSettings] = useState<ColumnSettings>({})
  const [unsorted, setUnsorted] = useState<string>()
  const [isEarlierOpen, setIsEarlierOpen] = useState(false)
  useEffect(() => {
    setSettings(rememberedColumns(family.name, type.apiName))
    setUnsorted(undefined)
  }, [family.name, type])
  useEffect(() => {
    void openTable({ family: family.name, type: type.apiName, query, order, at })
  }, [family.name, type, query, order, at])
  useEffect(() => closeTable, [])

  const { columns, unknown } = chooseColumns(type, named, settings)
  useEffect(() => {
    if (unknown.length === 0) return
    notify(`There is no ${unknown.join(', ')} any more, so it is left out.`)
    go({ columns: named?.filter((name) => !unknown.includes(name)) }, { replaces: true })
  }, [unknown.join(',')])

  const setColumns = (next: ColumnSettings): void => {
    rememberColumns(family.name, type.apiName, next)
    setSettings(next)
    if (next.shown?.join(',') !== named?.join(',')) go({ columns: next.shown }, { replaces: true })
  }
  const sort = ({ name, property }: Column): void => {
    const isKey = name === type.primaryKey
    if (!property.sortable && !isKey) return setUnsorted(name)
    setUnsorted(undefined)
    const now = order.length === 1 && order[0]?.field === name ? order[0].direction : undefined
    const next = now === undefined ? 'asc' : now === 'asc' ? 'desc' : undefined
    go({ order: next === undefined ? [] : [{ field: name, direction: next }] })
  }
  const state = tableState.value
  const table =
    state.kind === 'open' && isOf(state.table, family.name, type.apiName) ? state.table : undefined
  const valuesOf = (property: string): readonly string[] => {
    const values = new Set<string>()
    for (let row = 0; row < 300 && values.size < 30; row += 1) {
      const value = table?.reading.row(row)?.properties[property]
      if (value !== undefined && typeof value !== 'object') values.add(String(value))
    }
    return [...values].toSorted()
  }
  return (
    <section class={object === undefined ? 'rows' : 'rows with-object'}>
      <div class="rows-main">
        <div class="tools">
          <FilterBar type={type} query={query} valuesOf={valuesOf} onChange={(next) => go({ query: next })} />
          <div class="actions">
            <OrderMenu type={type} order={order} onOrder={(next) => go({ order: next })} />
            <FacetsButton type={type} open={facets} onOpen={(next) => go({ facets: next })} />
            <ColumnsMenu type={type} columns={columns} settings={settings} onChange={setColumns} />
            <CopyAs
              request={{
                url: location.origin,
                family: family.name,
                type: type.apiName,
                query,
                order,
                select: named,
                snapshotToken: at,
              }}
            />
            {table !== undefined && <LiveButton table={table} />}
            {table !== undefined && <ExportMenu table={table} columns={columns.map(({ name }) => name)} />}
          </div>
        </div>
        {(isEarlierOpen || at !== undefined) && (
          <EarlierStates
            key={`${family.name}/${type.apiName}`}
            family={family.name}
            type={type.apiName}
            at={at}
            version={table?.reading.state.value.version}
            onClose={() => setIsEarlierOpen(false)}
          />
        )}
        {facets !== undefined && table !== undefined && (
          <Facets
            type={type}
            open={facets}
            scope={{
              family: family.name,
              type: type.apiName,
              query: table.request.query,
              snapshotToken: table.snapshotToken,
            }}
            query={query}
            onOpen={(next) => go({ facets: next })}
            onFilter={(next) => go({ query: next })}
          />
        )}
        {unsorted !== undefined && <Unsorted name={unsorted} onClose={() => setUnsorted(undefined)} />}
        {state.kind === 'failed' && <FailureView failure={state.failure} onRetry={() => go({})} />}
        {table === undefined ? (
          state.kind === 'opening' && <p class="faint pad">Reading…</p>
        ) : (
          <>
            <Problem table={table} />
            <Grid
              label={`${type.displayName}, all that match`}
              reading={table.reading}
              columns={columns}
              order={order}
              opened={object}
              changed={changedKeys.value}
              newer={newerObjects.value}
              onSort={sort}
              onResize={({ name }, width) => {
                const next = { ...settings, widths: { ...settings.widths, [name]: Math.round(width) } }
                rememberColumns(family.name, type.apiName, next)
                setSettings(next)
              }}
              onOpen={({ primaryKey }) => go({ object: primaryKey })}
              onCopy={(row, { name }) => {
                const value = row.properties[name]
                void copyText(wholeText(value)).then(
                  (isCopied) => isCopied && notify(`Copied: ${cellText(value)?.slice(0, 60) ?? 'no value'}`),
                )
              }}
            />
            <Empty table={table} />
            <TableStatus table={table} onEarlier={() => setIsEarlierOpen(!isEarlierOpen)} />
          </>
        )}
      </div>
      {object !== undefined && table !== undefined && (
        <ObjectPanel
          key={object}
          family={family.name}
          type={type}
          primaryKey={object}
          snapshotToken={table.snapshotToken}
          onClose={() => go({ object: undefined })}
        />
      )}
    </section>
  )
}

const isOf = ({ request }: Table, family: string, type: string): boolean =>
  request.family === family && request.type === type

function Empty({ table }: { readonly table: Table }) {
  const { rows, isExact } = table.reading.state.value
  if (rows > 0 || !isExact) return null
  return (
    <p class="empty faint">
      {table.request.query === undefined ? 'There are no objects that you may see.' : 'No object matches.'}
    </p>
  )
}

/** A failed page leaves what was read in sight. */
function Problem({ table }: { readonly table: Table }) {
  const { error } = table.reading.state.value
  if (error === undefined) return null
  const failure = failureOf(error)
  const isGone = failure.name === 'ConsistentSnapshotError' || /SnapshotToken/.test(failure.name)
  return isGone ? (
    <div class="failure" role="alert">
      <p>
        <strong>This state is not kept any more.</strong> {failure.sentence} How long one is kept after a
        change is set with <code>--snapshot-retention-seconds</code>.
      </p>
      <button
        onClick={() =>
          table.request.at === undefined ? void openTable(table.request) : go({ at: undefined })
        }
      >
        Show the latest
      </button>
    </div>
  ) : (
    <FailureView failure={failure} onRetry={table.reading.retry} />
  )
}

const Unsorted = ({ name, onClose }: { readonly name: string; readonly onClose: () => void }) => (
  <div class="failure teach" role="alert">
    <span>
      Ordering by {name} would sort every object for each page. Add this to its definition, and the service
      builds an index:
    </span>
    <Declaration text={'"sortable": true'} />
    <button class="plain" aria-label="Dismiss" onClick={onClose}>
      ×
    </button>
  </div>
)
