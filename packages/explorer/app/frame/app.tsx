import { useEffect } from 'preact/hooks'
import { RowsView } from '../rows/rows-view.tsx'
import { SignInView } from '../sign-in/sign-in-view.tsx'
import { signOut, token } from '../sign-in/session.ts'
import { catalog, findType, readCatalog, type FoundType } from '../types/catalog.ts'
import { followed, toType, TypeList, TypePicker } from '../types/type-list.tsx'
import { addressOf, addressProblems, go, view } from '../url/location.ts'
import type { Shown } from '../url/view.ts'
import { WalkView } from '../walk/walk-view.tsx'
import { FailureView } from '../controls/failure-view.tsx'
import { lazy } from '../controls/lazy.tsx'
import { Notices, notify } from '../controls/notices.tsx'
import { openPalette, Palette } from './palette.tsx'

const TypeFacts = lazy<FoundType>(async () => (await import('../holds/type-facts.tsx')).TypeFacts)

export function App() {
  useEffect(() => addressProblems.forEach(notify), [])
  return (
    <>
      {token.value === undefined ? <SignInView /> : <SignedIn />}
      <Notices />
    </>
  )
}

function SignedIn() {
  const read = catalog.value
  const { family, type } = view.value
  const found = read.kind === 'read' ? findType(read.families, family, type) : undefined
  useEffect(() => {
    if (read.kind !== 'read' || found !== undefined) return
    const first = read.families.find(({ types }) => types.length > 0)
    const start = first?.types[0]
    if (first === undefined || start === undefined) return
    if (type !== undefined)
      notify(`There is no type ${type} that you may read. Here is ${start.displayName}.`)
    go(toType(first.name, start.apiName), { replaces: true })
  }, [read, found, type])
  useEffect(() => {
    document.title = found === undefined ? 'Octavo' : `${found.type.displayName} · Octavo`
  }, [found])
  return (
    <div class="frame">
      <header class="top">
        <a class="wordmark" href="/">
          Octavo
        </a>
        <TypePicker found={found} />
        <span class="space" />
        <button class="palette-button" onClick={openPalette}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <a class="reference" href="/docs">
          Reference
        </a>
        <button class="plain" onClick={() => signOut()}>
          Sign out
        </button>
      </header>
      <TypeList found={found} />
      <main>
        {read.kind === 'loading' && <p class="faint pad">Reading the types…</p>}
        {read.kind === 'failed' && <FailureView failure={read.failure} onRetry={() => void readCatalog()} />}
        {read.kind === 'read' &&
          found === undefined &&
          read.families.every(({ types }) => types.length === 0) && (
            <p class="faint pad">
              There is nothing that you may read. If that is unexpected, ask an owner of the ontology for a
              role, or declare a type with <code>octavo init</code>.
            </p>
          )}
        {found !== undefined && <TypeView {...found} />}
      </main>
      <Palette />
    </div>
  )
}

const tabs: readonly (readonly [Shown, string])[] = [
  ['rows', 'Objects'],
  ['walk', 'The walk'],
  ['facts', 'What it holds'],
]

function TypeView(found: FoundType) {
  const { shows } = view.value
  return (
    <>
      <div class="type-head">
        <h1>{found.type.displayName}</h1>
        <nav class="tabs" aria-label="Views">
          {tabs.map(([each, label]) => (
            <a
              key={each}
              href={addressOf({ shows: each })}
              aria-current={shows === each ? 'page' : undefined}
              onClick={followed(() => go({ shows: each }))}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      {shows === 'rows' && <RowsView {...found} />}
      {shows === 'walk' && <WalkView {...found} />}
      {shows === 'facts' && <TypeFacts key={`${found.family.name}/${found.type.apiName}`} {...found} />}
    </>
  )
}
