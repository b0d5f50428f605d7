// The states of one object that the service keeps, newest first, and what is different in each.
import type { ObjectVersion, Page } from '@octavo/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { showVersion } from '../earlier/show-version.ts'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { failureOf, octavo, type Failure } from '../service/api.ts'
import { numberText } from '../types/type-list.tsx'
import type { ObjectType } from '../types/object-type.ts'
import { changesBetween, type PropertyChange } from './version-changes.ts'
import { visibleLines } from './visible-lines.ts'

interface HistoryProps {
  readonly family: string
  readonly type: ObjectType
  readonly primaryKey: string
}

interface Known {
  readonly versions: readonly ObjectVersion[]
  readonly oldestReadable: Page<unknown>['oldestReadable']
  readonly hasMore: boolean
  readonly failure: Failure | undefined
}

const nothing: Known = { versions: [], oldestReadable: undefined, hasMore: true, failure: undefined }

export function History({ family, type, primaryKey }: HistoryProps) {
  const [known, setKnown] = useState(nothing)
  const [isReading, setIsReading] = useState(true)
  const pages = useRef<AsyncIterator<Page<ObjectVersion>>>()
  const readOn = async (before: Known): Promise<void> => {
    const turn = pages.current
    setIsReading(true)
    const next = await turn?.next().then(
      ({ done, value }): Known =>
        done
          ? { ...before, hasMore: false }
          : {
              versions: [...before.versions, ...value.data],
              oldestReadable: value.oldestReadable ?? before.oldestReadable,
              hasMore: value.nextPageToken !== undefined,
              failure: undefined,
            },
      (error: unknown): Known => ({ ...before, failure: failureOf(error) }),
    )
    if (turn !== pages.current || next === undefined) return
    setKnown(next)
    setIsReading(false)
  }
  const start = (): void => {
    const objects = octavo().family(family).objects(type.apiName)
    pages.current = objects.versions(primaryKey, { pageSize: 20 }).pages()
    setKnown(nothing)
    void readOn(nothing)
  }
  useEffect(() => {
    start()
    return () => {
      pages.current = undefined
    }
  }, [family, type, primaryKey])

  const { versions, oldestReadable, hasMore, failure } = known
  // The changes of the last version that was read are known only with the version after it.
  const shown = hasMore ? versions.slice(0, -1) : versions
  return (
    <div class="history" role="region" aria-label="History">
      {shown.map((version, i) => (
        <Version
          key={version.version}
          version={version}
          older={versions[i + 1]}
          oldest={oldestReadable?.version}
          type={type}
          onShow={(number) => void showVersion({ family, type: type.apiName }, number).then(setFailure)}
        />
      ))}
      {failure?.name === 'ObjectNotFound' ? (
        <p class="faint">Nothing is kept of an object with this key, or you may not see it.</p>
      ) : (
        failure !== undefined && <FailureView failure={failure} onRetry={start} />
      )}
      {isReading && <p class="faint">Reading…</p>}
      {!isReading && hasMore && failure === undefined && (
        <button onClick={() => void readOn(known)}>Show older states</button>
      )}
      {!hasMore && oldestReadable !== undefined && (
        <p class="faint">
          Nothing is kept before version {numberText(oldestReadable.version)},{' '}
          {timeText(oldestReadable.committedAt)}.
        </p>
      )}
    </div>
  )

  function setFailure(next: Failure | undefined): void {
    if (next !== undefined) setKnown((before) => ({ ...before, failure: next }))
  }
}

interface VersionProps {
  readonly version: ObjectVersion
  /** Absent for the oldest. */
  readonly older: ObjectVersion | undefined
  /** The oldest version of the type that can be read. */
  readonly oldest: string | undefined
  readonly type: ObjectType
  readonly onShow: (version: string) => void
}

function Version({ version, older, oldest, type, onShow }: VersionProps) {
  const isFirstKept = older === undefined && oldest !== undefined && BigInt(version.version) <= BigInt(oldest)
  return (
    <section class={`state ${version.type}`}>
      <h3>
        {wordOf(version, older, isFirstKept)}{' '}
        <span class="faint">
          version {numberText(version.version)}
          {version.committedAt !== undefined && <>, {timeText(version.committedAt)}</>}
        </span>
      </h3>
      {version.type === 'put' && (
        <Changes
          changes={changesBetween(
            Object.keys(type.properties),
            older?.type === 'put' ? older.object.properties : {},
            version.object.properties,
          )}
        />
      )}
      <button
        class="plain"
        onClick={() => onShow(isFirstKept && oldest !== undefined ? oldest : version.version)}
      >
        The table then<span class="unseen">, at version {version.version}</span>
      </button>
    </section>
  )
}

function wordOf(version: ObjectVersion, older: ObjectVersion | undefined, isFirstKept: boolean): string {
  if (version.type === 'delete') return 'Deleted'
  if (isFirstKept) return 'The oldest state that is kept'
  if (older === undefined) return 'New'
  return older.type === 'delete' ? 'New again' : 'Changed'
}

/** The panel of properties has a value whole. */
const most = 400

const Changes = ({ changes }: { readonly changes: readonly PropertyChange[] }) =>
  changes.length === 0 ? (
    <p class="faint">Written again with the same values.</p>
  ) : (
    <dl>
      {changes.map(({ property, before, after }) => (
        <div key={property}>
          <dt>{property}</dt>
          <dd>
            {before !== undefined && (
              <del>
                <bdi>{visibleLines(before, most)}</bdi>
              </del>
            )}
            {before !== undefined && ' → '}
            {after === undefined ? (
              <span class="none">no value</span>
            ) : (
              <ins>
                <bdi>{visibleLines(after, most)}</bdi>
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
