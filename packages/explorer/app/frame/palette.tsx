// Everything that can be gone to, by a few letters of its name.
import { signal } from '@preact/signals'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { signOut } from '../sign-in/session.ts'
import { catalog } from '../types/catalog.ts'
import { toType } from '../types/type-list.tsx'
import { go } from '../url/location.ts'

const isOpen = signal(false)

export const openPalette = (): void => {
  isOpen.value = true
}

interface Command {
  readonly name: string
  readonly hint: string
  readonly act: () => void
}

function commands(): readonly Command[] {
  const read = catalog.value
  const types =
    read.kind !== 'read'
      ? []
      : read.families.flatMap(({ name, ontology, types: all }) =>
          all.map(({ apiName, displayName }): Command => ({
            name: displayName,
            hint: ontology.displayName,
            act: () => go({ ...toType(name, apiName), shows: 'rows' }),
          })),
        )
  return [
    ...types,
    { name: 'Objects of this type', hint: 'view', act: () => go({ shows: 'rows' }) },
    { name: 'The walk, as a picture', hint: 'view', act: () => go({ shows: 'walk' }) },
    { name: 'What it holds', hint: 'view', act: () => go({ shows: 'facts' }) },
    { name: 'Remove the filter', hint: 'filter', act: () => go({ query: undefined }) },
    { name: 'Show the latest state', hint: 'state', act: () => go({ at: undefined }) },
    { name: 'Reference of the service', hint: 'page', act: () => location.assign('/docs') },
    { name: 'Sign out', hint: 'session', act: () => signOut() },
  ]
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const found = commands().filter(({ name, hint }) =>
    `${name} ${hint}`.toLowerCase().includes(text.toLowerCase()),
  )
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  useEffect(() => {
    if (!isOpen.value) return
    setText('')
    setChosen(0)
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [isOpen.value])
  const run = (command: Command | undefined): void => {
    dialog.current?.close()
    command?.act()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') run(found[chosen])
    else if (event.key === 'ArrowDown') setChosen(Math.min(found.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, chosen - 1))
    else return
    event.preventDefault()
  }
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={() => (isOpen.value = false)}>
      <input
        role="combobox"
        aria-label="Go to"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${chosen}`}
        placeholder="Go to a type, or do something"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={id} role="listbox" aria-label="What there is">
        {found.map((command, i) => (
          <li
            key={`${command.name} ${command.hint}`}
            id={`${id}-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => run(command)}
          >
            {command.name} <span class="faint">{command.hint}</span>
          </li>
        ))}
      </ul>
    </dialog>
  )
}
