import { Popover } from '../controls/popover.tsx'
import { typeText, type ObjectType } from '../types/object-type.ts'
import type { Column, ColumnSettings } from './columns.ts'

interface ColumnsMenuProps {
  readonly type: ObjectType
  readonly columns: readonly Column[]
  readonly settings: ColumnSettings
  readonly onChange: (settings: ColumnSettings) => void
}

export function ColumnsMenu({ type, columns, settings, onChange }: ColumnsMenuProps) {
  const shown = columns.map(({ name }) => name)
  const hidden = Object.keys(type.properties).filter((name) => !shown.includes(name))
  const pinned = columns.filter(({ isPinned }) => isPinned).map(({ name }) => name)
  const set = (next: Partial<ColumnSettings>): void => onChange({ ...settings, shown, pinned, ...next })
  const move = (name: string, by: number): void => {
    const from = shown.indexOf(name)
    set({ shown: shown.toSpliced(from, 1).toSpliced(Math.max(0, from + by), 0, name) })
  }
  return (
    <Popover label={hidden.length === 0 ? 'Columns' : `Columns (${shown.length})`} title="Columns">
      <ul class="columns-menu">
        {columns.map(({ name, isPinned, property }, i) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked
                disabled={columns.length === 1}
                onChange={() => set({ shown: shown.filter((each) => each !== name) })}
              />
              {name} <span class="faint">{typeText(property.type)}</span>
            </label>
            <button
              class="plain"
              aria-pressed={isPinned}
              aria-label={`Pin ${name}`}
              title="Stays in sight at the left"
              onClick={() =>
                set({ pinned: isPinned ? pinned.filter((each) => each !== name) : [...pinned, name] })
              }
            >
              pin
            </button>
            <button
              class="plain"
              aria-label={`Move ${name} left`}
              disabled={i === 0}
              onClick={() => move(name, -1)}
            >
              ↑
            </button>
            <button
              class="plain"
              aria-label={`Move ${name} right`}
              disabled={i === columns.length - 1}
              onClick={() => move(name, 1)}
            >
              ↓
            </button>
          </li>
        ))}
        {hidden.map((name) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={false} onChange={() => set({ shown: [...shown, name] })} />
              {name}
            </label>
          </li>
        ))}
      </ul>
      <button onClick={() => onChange({})}>Show all, in the order of the definition</button>
    </Popover>
  )
}
