// What the objects that match have in common: counts by value, which filter.
import type { Query } from '@octavo/client'
import { useEffect, useState } from 'preact/hooks'
import { notify } from '../controls/notices.tsx'
import type { Field } from '../filter/conditions.ts'
import { cellText } from '../grid/cell-text.ts'
import { failureOf, type Failure } from '../service/api.ts'
import type { ObjectType } from '../types/object-type.ts'
import { numberText } from '../types/type-list.tsx'
import { facetFields } from './facet-fields.ts'
import { conditionFor, hasCondition, toggled, type Facet, type FacetValue } from './facet.ts'
import { readFacet, type FacetScope } from './read-facet.ts'

export interface FacetsProps {
  readonly type: ObjectType
  /** The fields that are open, as they stand in the address. */
  readonly open: readonly string[]
  readonly scope: FacetScope
  /** The filter in the address, which the table may not show yet. */
  readonly query: Query | undefined
  readonly onOpen: (fields: readonly string[] | undefined) => void
  readonly onFilter: (query: Query | undefined) => void
}

export function Facets({ type, open, scope, query, onOpen, onFilter }: FacetsProps) {
  const fields = facetFields(type)
  const shown = fields.filter(({ name }) => open.includes(name))
  const unknown = open.filter((name) => !fields.some((field) => field.name === name))
  useEffect(() => {
    if (unknown.length === 0) return
    notify(`There are no counts by ${unknown.join(', ')} any more, so they are left out.`)
    openOnly(open.filter((name) => !unknown.includes(name)))
  }, [unknown.join(',')])
  /** An address names no facets when the last one is closed. */
  const openOnly = (names: readonly string[]): void => onOpen(names.length === 0 ? undefined : names)
  const toggle = ({ name }: Field): void =>
    openOnly(open.includes(name) ? open.filter((each) => each !== name) : [...open, name])
  return (
    <section class="facets" aria-label="Facets">
      <p class="choices">
        {fields.map((field) => (
          <button
            key={field.name}
            class="plain"
            aria-pressed={open.includes(field.name)}
            onClick={() => toggle(field)}
          >
            {field.name}
          </button>
        ))}
        <button class="plain close" aria-label="Close the facets" onClick={() => onOpen(undefined)}>
          ×
        </button>
      </p>
      <div class="cards">
        {shown.map((field) => (
          <FacetCard key={field.name} field={field} scope={scope} query={query} onFilter={onFilter} />
        ))}
      </div>
    </section>
  )
}

interface FacetCardProps {
  readonly field: Field
  readonly scope: FacetScope
  readonly query: Query | undefined
  readonly onFilter: (query: Query | undefined) => void
}

type ReadFacet = { readonly facet: Facet } | { readonly failure: Failure }

function FacetCard({ field, scope, query, onFilter }: FacetCardProps) {
  const [read, setRead] = useState<ReadFacet>()
  useEffect(() => {
    let isWanted = true
    const show = async (): Promise<void> => {
      const next = await readFacet(scope, field.name).then(
        (facet): ReadFacet => ({ facet }),
        (error: unknown): ReadFacet => ({ failure: failureOf(error) }),
      )
      if (isWanted) setRead(next)
    }
    void show()
    return () => {
      isWanted = false
    }
  }, [field.name, scope.type, scope.snapshotToken, JSON.stringify(scope.query)])
  return (
    <section class="facet" aria-label={`By ${field.name}`} aria-busy={read === undefined}>
      <h2>{field.name}</h2>
      {read === undefined && <p class="faint">Counting…</p>}
      {read !== undefined && 'failure' in read && <NotCounted failure={read.failure} />}
      {read !== undefined && 'facet' in read && (
        <Values facet={read.facet} field={field} query={query} onFilter={onFilter} />
      )}
    </section>
  )
}

/** A count that would read too many objects is refused before it reads any; the service says what to do instead. */
const NotCounted = ({ failure }: { readonly failure: Failure }) => (
  <p role="alert">
    <strong>
      {failure.name === 'AggregateTooExpensive' ? 'Too many objects to count.' : `${failure.name}.`}
    </strong>{' '}
    {failure.sentence}
  </p>
)

interface ValuesProps extends Omit<FacetCardProps, 'scope'> {
  readonly facet: Facet
}

function Values({ facet, field, query, onFilter }: ValuesProps) {
  const { values, withoutValue, others, objects } = facet
  const most = Math.max(1, withoutValue, ...values.map((each) => each.objects))
  const isComponent = field.name.includes(':')
  const row = (value: FacetValue | null, count: number) => {
    const condition = conditionFor(field.name, value)
    return (
      <Row
        key={JSON.stringify(value)}
        label={value === null ? 'no value' : textOf(value)}
        isValue={value !== null && value !== ''}
        count={count}
        share={count / most}
        isPressed={hasCondition(query, condition)}
        // Whether a component has a value cannot be asked in a filter.
        onClick={value === null && isComponent ? undefined : () => onFilter(toggled(query, condition))}
      />
    )
  }
  return (
    <>
      {objects === 0 && <p class="faint">No object matches.</p>}
      <ul>
        {values.map((each) => row(each.value, each.objects))}
        {withoutValue > 0 && row(null, withoutValue)}
      </ul>
      {others.values > 0 && (
        <p class="faint">
          and {numberText(others.values)} more {others.values === 1 ? 'value' : 'values'},{' '}
          {numberText(others.objects)} {others.objects === 1 ? 'object' : 'objects'}
        </p>
      )}
    </>
  )
}

const textOf = (value: FacetValue): string => (value === '' ? 'empty text' : (cellText(value, 80) ?? ''))

interface RowProps {
  readonly label: string
  readonly isValue: boolean
  readonly count: number
  /** Of the longest bar. */
  readonly share: number
  readonly isPressed: boolean
  readonly onClick: (() => void) | undefined
}

function Row({ label, isValue, count, share, isPressed, onClick }: RowProps) {
  const contents = (
    <>
      <span class={isValue ? 'value' : 'value faint'}>
        <bdi>{label}</bdi>
      </span>
      <span class="count">{numberText(count)}</span>
      <span class="bar" style={{ inlineSize: `${Math.max(1, share * 100)}%` }} />
    </>
  )
  return (
    <li>
      {onClick === undefined ? (
        <span class="plain row">{contents}</span>
      ) : (
        <button class="plain row" aria-pressed={isPressed} title={label} onClick={onClick}>
          {contents}
        </button>
      )}
    </li>
  )
}
