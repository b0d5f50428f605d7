import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Declaration } from '../controls/failure-view.tsx'
import {
  operatorsOf,
  operatorText,
  queryOf,
  takesValue,
  type Condition,
  type Field,
  type Operator,
} from './conditions.ts'

interface ConditionEditorProps {
  readonly fields: readonly Field[]
  /** Undefined for a new one. */
  readonly condition: Condition | undefined
  readonly valuesOf: (property: string) => readonly string[]
  readonly onApply: (condition: Condition) => void
  readonly onLeave: () => void
}

const placeholders: Readonly<Partial<Record<Field['kind'], string>>> = {
  date: '2026-01-31',
  timestamp: '2026-01-31 or 2026-01-31T12:00:00Z',
}

export function ConditionEditor({ fields, condition, valuesOf, onApply, onLeave }: ConditionEditorProps) {
  const id = useId()
  const first = useRef<HTMLSelectElement>(null)
  const value = useRef<HTMLInputElement>(null)
  const searchable = fields.filter(({ isSearchable }) => isSearchable)
  const others = fields.filter(({ isSearchable }) => !isSearchable)
  const [name, setName] = useState(condition?.field ?? searchable[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  const possible = field === undefined ? [] : operatorsOf(field)
  const [wanted, setWanted] = useState<Operator>(condition?.operator ?? 'eq')
  const operator = possible.includes(wanted) ? wanted : (possible[0] ?? 'eq')
  const [text, setText] = useState(condition?.text ?? '')
  const [problem, setProblem] = useState<string>()
  useEffect(() => (condition === undefined ? first.current?.focus() : value.current?.focus()), [condition])

  const submit = (event: Event): void => {
    event.preventDefault()
    if (field === undefined) return
    const made = queryOf({ field: name, operator, text }, field)
    if (typeof made === 'string') setProblem(made)
    else onApply({ field: name, operator, text })
  }
  return (
    <form
      class="condition"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave()
      }}
    >
      <select
        ref={first}
        aria-label="Property"
        value={name}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setProblem(undefined)
        }}
      >
        <optgroup label="Searchable">
          {searchable.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </optgroup>
        {others.length > 0 && (
          <optgroup label="Not searchable yet">
            {others.map((each) => (
              <option key={each.name}>{each.name}</option>
            ))}
          </optgroup>
        )}
      </select>
      {field?.isSearchable === true ? (
        <>
          <select
            aria-label="Operator"
            value={operator}
            onChange={({ currentTarget }) => setWanted(currentTarget.value as Operator)}
          >
            {possible.map((each) => (
              <option key={each} value={each}>
                {operatorText(each, field)}
              </option>
            ))}
          </select>
          {takesValue(operator) && (
            <input
              ref={value}
              aria-label="Value"
              list={`${id}-values`}
              spellcheck={false}
              autocomplete="off"
              placeholder={operator === 'in' ? 'one, another' : placeholders[field.kind]}
              value={text}
              onInput={({ currentTarget }) => {
                setText(currentTarget.value)
                setProblem(undefined)
              }}
            />
          )}
          <datalist id={`${id}-values`}>
            {(field.kind === 'boolean' ? ['true', 'false'] : valuesOf(name)).map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
          <button class="primary" type="submit">
            Apply
          </button>
        </>
      ) : (
        <span class="teach">
          <span>
            Filtering by {name} would read every object. Add this to its definition, and the service builds an
            index:
          </span>
          <Declaration text={'"searchable": true'} />
        </span>
      )}
      <button type="button" class="plain" onClick={onLeave}>
        Cancel
      </button>
      {problem !== undefined && (
        <span class="problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  )
}
