// One object: every property, whole. It is read in the state that the table shows.
import type { FoundObject } from '@octavo/client'
import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from '../controls/copy-button.tsx'
import { FailureView } from '../controls/failure-view.tsx'
import { lazy } from '../controls/lazy.tsx'
import { visibleText } from '../grid/cell-text.ts'
import { failureOf, octavo, type Failure } from '../service/api.ts'
import { typeText, type ObjectType } from '../types/object-type.ts'
import { keyQuery } from './key-query.ts'
import { ObjectLinks } from './object-links.tsx'
import { visibleLines } from './visible-lines.ts'

const History = lazy(async () => (await import('./history.tsx')).History)

interface ObjectPanelProps {
  readonly family: string
  readonly type: ObjectType
  readonly primaryKey: string
  readonly snapshotToken: string
  readonly onClose: () => void
}

type Shown = 'properties' | 'json' | 'history'

const tabs: readonly (readonly [Shown, string])[] = [
  ['properties', 'Properties'],
  ['json', 'JSON'],
  ['history', 'History'],
]

type ReadObject =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly object: FoundObject }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly failure: Failure }

async function readObject({
  family,
  type,
  primaryKey,
  snapshotToken,
}: ObjectPanelProps): Promise<ReadObject> {
  try {
    const page = await octavo()
      .family(family)
      .objects(type.apiName)
      .search(keyQuery(type, primaryKey), { snapshotToken, pageSize: 1 })
      .firstPage()
    const [object] = page.data
    return object === undefined ? { kind: 'absent' } : { kind: 'read', object }
  } catch (error) {
    return { kind: 'failed', failure: failureOf(error) }
  }
}

export function ObjectPanel(props: ObjectPanelProps) {
  const { family, type, primaryKey, snapshotToken, onClose } = props
  const [read, setRead] = useState<ReadObject>({ kind: 'reading' })
  const [shown, setShown] = useState<Shown>('properties')
  const [attempt, setAttempt] = useState(1)
  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<void> => {
      const next = await readObject(props)
      if (isWanted) setRead(next)
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [type, primaryKey, snapshotToken, attempt])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented) onClose()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [onClose])
  const title = read.kind === 'read' ? (read.object.title ?? primaryKey) : primaryKey
  return (
    <aside class="object" aria-label={`${type.displayName} ${primaryKey}`}>
      <header>
        <h2>
          <bdi>{visibleText(title)}</bdi>
        </h2>
        <button class="plain" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <p class="choices">
        {tabs.map(([each, label]) => (
          <button key={each} class="plain" aria-pressed={shown === each} onClick={() => setShown(each)}>
            {label}
          </button>
        ))}
        {read.kind === 'read' && (
          <CopyButton text={JSON.stringify(read.object.properties, undefined, 2)} label="Copy JSON" />
        )}
      </p>
      {shown === 'history' ? (
        <History family={family} type={type} primaryKey={primaryKey} />
      ) : (
        <Now
          family={family}
          read={read}
          shown={shown}
          type={type}
          primaryKey={primaryKey}
          onRetry={() => setAttempt(attempt + 1)}
        />
      )}
    </aside>
  )
}

interface NowProps {
  readonly family: string
  readonly read: ReadObject
  readonly shown: 'properties' | 'json'
  readonly type: ObjectType
  readonly primaryKey: string
  readonly onRetry: () => void
}

/** The object in the state of the table. */
function Now({ family, read, shown, type, primaryKey, onRetry }: NowProps) {
  switch (read.kind) {
    case 'reading':
      return <p class="faint">Reading…</p>
    case 'absent':
      return (
        <p class="faint">
          There is no {type.displayName} with the key {visibleText(primaryKey)} in this state, or you may not
          see it.
        </p>
      )
    case 'failed':
      return <FailureView failure={read.failure} onRetry={onRetry} />
    case 'read':
      return shown === 'json' ? (
        <pre tabIndex={0} role="region" aria-label="The object as JSON">
          {visibleLines(JSON.stringify(read.object.properties, undefined, 2))}
        </pre>
      ) : (
        <>
          <Properties type={type} object={read.object} />
          <ObjectLinks family={family} type={type} object={read.object} />
        </>
      )
    default:
      return read satisfies never
  }
}

function Properties({ type, object }: { readonly type: ObjectType; readonly object: FoundObject }) {
  return (
    <dl class="properties">
      {Object.entries(type.properties).map(([name, property]) => {
        const value = object.properties[name]
        return (
          <div key={name}>
            <dt title={property.description}>
              {name} <span class="faint">{typeText(property.type)}</span>
            </dt>
            <dd>
              {value === undefined ? (
                <span class="none">no value</span>
              ) : (
                <bdi>
                  {visibleLines(
                    typeof value === 'object' ? JSON.stringify(value, undefined, 1) : String(value),
                  )}
                </bdi>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
