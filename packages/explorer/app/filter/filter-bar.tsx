// The filter of the table: one pill for each condition, an editor for one of them, and the whole as JSON beside it.
import type { Query } from '@octavo/client'
import { useEffect, useState } from 'preact/hooks'
import type { ObjectType } from '../types/object-type.ts'
import { ConditionEditor } from './condition-editor.tsx'
import {
  conditionsOf,
  fieldsOf,
  operatorText,
  queryOf,
  queryOfAll,
  takesValue,
  type Condition,
} from './conditions.ts'
import { QueryEditor } from './query-editor.tsx'

interface FilterBarProps {
  readonly type: ObjectType
  readonly query: Query | undefined
  /** Some values of a field, to choose from. */
  readonly valuesOf: (property: string) => readonly string[]
  readonly onChange: (query: Query | undefined) => void
}

type Editing = { readonly kind: 'condition'; readonly number: number } | { readonly kind: 'query' }

export function FilterBar({ type, query, valuesOf, onChange }: FilterBarProps) {
  const [editing, setEditing] = useState<Editing>()
  const fields = fieldsOf(type)
  const conditions = conditionsOf(query)
  useEffect(() => setEditing(undefined), [type])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== '/' || isTyping(event.target)) return
      event.preventDefault()
      setEditing({ kind: 'condition', number: conditions?.length ?? 0 })
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [conditions?.length])

  const apply = (next: readonly Condition[]): void => {
    const queries = next.flatMap((condition) => {
      const field = fields.find(({ name }) => name === condition.field)
      const made = field === undefined ? '' : queryOf(condition, field)
      return typeof made === 'string' ? [] : [made]
    })
    setEditing(undefined)
    onChange(queryOfAll(queries))
  }
  const edited = editing?.kind === 'condition' ? editing.number : undefined
  return (
    <div class="filter" role="group" aria-label="Filter">
      {conditions?.map((condition, number) => {
        const field = fields.find(({ name }) => name === condition.field)
        const words = `${condition.field} ${operatorText(condition.operator, field)}`
        const said = takesValue(condition.operator) ? `${words} ${condition.text}` : words
        return edited === number ? null : (
          <span key={said} class="pill">
            <button class="plain" onClick={() => setEditing({ kind: 'condition', number })} title="Change">
              {words}
              {takesValue(condition.operator) && <strong> {condition.text}</strong>}
            </button>
            <button
              class="plain"
              aria-label={`Remove: ${said}`}
              onClick={() => apply(conditions.filter((each) => each !== condition))}
            >
              ×
            </button>
          </span>
        )
      })}
      {conditions === undefined && (
        <span class="pill">
          <button class="plain" onClick={() => setEditing({ kind: 'query' })}>
            a custom query
          </button>
          <button class="plain" aria-label="Remove the query" onClick={() => onChange(undefined)}>
            ×
          </button>
        </span>
      )}
      {edited !== undefined && conditions !== undefined ? (
        <ConditionEditor
          key={edited}
          fields={fields}
          condition={conditions[edited]}
          valuesOf={valuesOf}
          onApply={(condition) => apply(conditions.toSpliced(edited, 1, condition))}
          onLeave={() => setEditing(undefined)}
        />
      ) : (
        conditions !== undefined && (
          <button class="add" onClick={() => setEditing({ kind: 'condition', number: conditions.length })}>
            + Filter <kbd>/</kbd>
          </button>
        )
      )}
      <button
        class="plain raw"
        aria-expanded={editing?.kind === 'query'}
        aria-label="The query as JSON"
        onClick={() => setEditing(editing?.kind === 'query' ? undefined : { kind: 'query' })}
      >
        {'{ }'}
      </button>
      {editing?.kind === 'query' && (
        <QueryEditor
          query={query}
          onApply={(next) => {
            setEditing(undefined)
            onChange(next)
          }}
          onLeave={() => setEditing(undefined)}
        />
      )}
    </div>
  )
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input, select, textarea, [contenteditable]')
