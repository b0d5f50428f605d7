// What a type costs: the room that it takes, its indexes and whether they are used, and for how long states are kept.
import { useEffect, useState } from 'preact/hooks'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { ask, failureOf, type Failure } from '../service/api.ts'
import type { FoundType } from '../types/catalog.ts'
import { numberText } from '../types/type-list.tsx'
import { bytesText, secondsText } from './amounts.ts'
import { Figure } from './figure.tsx'

interface TableSize {
  readonly rows: number
  readonly bytes: number
}

interface IndexFacts {
  readonly kind: string
  readonly keys: readonly {
    readonly property: string
    readonly component?: string
    readonly direction: string
  }[]
  readonly bytes?: number
  readonly uses?: number
}

interface TypeStatistics {
  readonly retentionSeconds: number
  readonly oldestReadable: { readonly version: string; readonly committedAt: string }
  readonly current?: TableSize
  readonly history?: TableSize
  readonly changes?: TableSize
  readonly indexes: readonly IndexFacts[]
}

type Read =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly statistics: TypeStatistics }
  | { readonly kind: 'denied' }
  | { readonly kind: 'failed'; readonly failure: Failure }

async function readStatistics({ family, type }: FoundType): Promise<Read> {
  if (family.ontology.role === 'reader') return { kind: 'denied' }
  const [rid, name] = [family.ontology.rid, type.apiName].map(encodeURIComponent)
  try {
    const path = `/manage/v1/ontologies/${rid}/objectTypes/${name}/statistics`
    return { kind: 'read', statistics: await ask<TypeStatistics>(path) }
  } catch (error) {
    const failure = failureOf(error)
    return failure.name.endsWith('PermissionDenied') ? { kind: 'denied' } : { kind: 'failed', failure }
  }
}

export function Statistics({ family, type }: FoundType) {
  const [read, setRead] = useState<Read>({ kind: 'reading' })
  const load = (): void => void readStatistics({ family, type }).then(setRead)
  useEffect(load, [family, type])
  return (
    <>
      <h2>Room and indexes</h2>
      {read.kind === 'reading' && <p class="faint">Reading…</p>}
      {read.kind === 'denied' && (
        <p class="faint denied">
          Sizes are for writers and owners: they would tell readers of objects that a policy hides. Your role
          is {family.ontology.role}.
        </p>
      )}
      {read.kind === 'failed' && <FailureView failure={read.failure} onRetry={load} />}
      {read.kind === 'read' && <Sizes {...read.statistics} />}
    </>
  )
}

const sizeText = (size: TableSize | undefined): string =>
  size === undefined ? 'unknown' : `${bytesText(size.bytes)}, about ${numberText(size.rows)} rows`

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
            <tr key={`${index.kind} ${keysText(index)}`}>
              <th scope="row">{keysText(index)}</th>
              <td>{kinds.get(index.kind) ?? index.kind}</td>
              <td class="number">{index.bytes === undefined ? 'unknown' : bytesText(index.bytes)}</td>
              <td class="number">{usesText(index)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </>
)

const keysText = ({ keys }: IndexFacts): string =>
  keys
    .map(({ property, component, direction }) => {
      const name = component === undefined ? property : `${property}.${component}`
      return direction === 'desc' ? `${name} desc` : name
    })
    .join(', ')

const usesText = ({ uses }: IndexFacts): string =>
  uses === undefined ? 'unknown' : uses === 0 ? 'never' : numberText(uses)

const kinds: ReadonlyMap<string, string> = new Map([
  ['primaryKey', 'primary key'],
  ['order', 'whole values, in order'],
  ['start', 'beginnings of strings'],
  ['members', 'members of arrays'],
  ['terms', 'terms of texts'],
])
