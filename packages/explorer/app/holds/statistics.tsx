// What a type costs: the room that it takes, its indexes and whether they are used, and for how long states are kept.
import { useEffect, useState } from 'preact/hooks'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { failureOf, type Failure } from '../service/api.ts'
import {
  readStatistics,
  type FoundType,
  type IndexFacts,
  type TableSize,
  type TypeStatistics,
} from '../types/catalog.ts'
import { numberText } from '../types/type-list.tsx'
import { bytesText, secondsText } from './amounts.ts'
import { Figure } from './figure.tsx'

type Read =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly statistics: TypeStatistics }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly failure: Failure }

async function read({ family, type }: FoundType): Promise<Read> {
  if (family.ontology.role === 'reader') return { kind: 'denied' }
  try {
    return { kind: 'read', statistics: await readStatistics(family.ontology.rid, type.apiName) }
  } catch (error) {
    const failure = failureOf(error)
    return failure.name.endsWith('PermissionDenied') ? { kind: 'denied' } : { kind: 'failed', failure }
  }
}

export function Statistics({ family, type }: FoundType) {
  const [found, setFound] = useState<Read>({ kind: 'reading' })
  const load = (): void => void read({ family, type }).then(setFound)
  useEffect(load, [family, type])
  return (
    <>
      <h2>Room and indexes</h2>
      {found.kind === 'reading' && <p class="faint">Reading…</p>}
      {found.kind === 'denied' && (
        <p class="faint denied">
          Sizes are for writers and owners: they would tell readers of objects that a policy hides. Your role
          is {family.ontology.role}.
        </p>
      )}
      {found.kind === 'failed' && <FailureView failure={found.failure} onRetry={load} />}
      {found.kind === 'read' && <Sizes {...found.statistics} />}
    </>
  )
}

const sizeText = (size: TableSize | undefined): string =>
  size === undefined ? 'unknown' : `${bytesText(size.byteCount)}, about ${numberText(size.rowCount)} rows`

const Sizes = ({ retentionSeconds, oldestReadable, current, history, changes, indexes }: TypeStatistics) => (
  <>
    <dl class="figures">
      <Figure name="objects now" value={sizeText(current)} />
      <Figure name="history" value={sizeText(history)} />
      <Figure name="changes" value={sizeText(changes)} />
      <Figure name="a state is kept for" value={secondsText(retentionSeconds)} />
      <Figure name="oldest readable state" value={`version ${numberText(oldestReadable.version)}`} />
      <Figure name="committed" value={timeText(oldestReadable.committedAt)} />
    </dl>
    {current === undefined && (
      <p class="faint">The database is a cluster, and its sizes cannot be seen from here.</p>
    )}
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Indexes">
      <table>
        <thead>
          <tr>
            <th scope="col">Index</th>
            <th scope="col">Kind</th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col" class="number">
              Read so often
            </th>
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <tr key={`${index.kind} ${fieldsText(index)}`}>
              <th scope="row">{fieldsText(index)}</th>
              <td>{kinds.get(index.kind) ?? index.kind}</td>
              <td class="number">{index.byteCount === undefined ? 'unknown' : bytesText(index.byteCount)}</td>
              <td class="number">{usesText(index)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
)

const fieldsText = ({ fields }: IndexFacts): string =>
  fields.map(({ field, direction }) => (direction === 'desc' ? `${field} desc` : field)).join(', ')

const usesText = ({ useCount }: IndexFacts): string =>
  useCount === undefined ? 'unknown' : useCount === 0 ? 'never' : numberText(useCount)

const kinds: ReadonlyMap<string, string> = new Map([
  ['primaryKey', 'primary key'],
  ['order', 'whole values, in order'],
  ['start', 'beginnings of strings'],
  ['members', 'members of arrays'],
  ['terms', 'terms of texts'],
])
