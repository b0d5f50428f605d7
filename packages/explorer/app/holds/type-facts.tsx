// What a type holds, and what it can be asked for.
import { useEffect, useState } from 'preact/hooks'
import { timeText } from '../controls/time-text.ts'
import { readRevision, readStatistics, type FoundType, type TypeStatistics } from '../types/catalog.ts'
import { typeText } from '../types/object-type.ts'
import { numberText } from '../types/type-list.tsx'
import { Audit } from './audit.tsx'
import { Figure } from './figure.tsx'
import { Statistics } from './statistics.tsx'
import { VersionsOverTime } from './versions-over-time.tsx'

export function TypeFacts({ family, type }: FoundType) {
  const [state, setState] = useState<TypeStatistics & { readonly revision: number }>()
  useEffect(() => {
    const asked = [family.ontology.rid, type.apiName] as const
    Promise.all([readStatistics(...asked), readRevision(...asked)]).then(
      ([statistics, revision]) => setState({ ...statistics, revision }),
      () => setState(undefined),
    )
  }, [family, type])
  const properties = Object.entries(type.properties)
  return (
    <section class="facts" aria-label="What it holds">
      {type.description !== undefined && <p class="lead">{type.description}</p>}
      <dl class="figures">
        {state !== undefined && (
          <>
            <Figure name="objects" value={numberText(state.objectCount)} />
            <Figure name="version" value={numberText(state.version)} />
            <Figure name="last commit" value={timeText(state.committedAt)} />
            <Figure name="revision of the definition" value={String(state.revision)} />
          </>
        )}
        <Figure name="properties" value={String(properties.length)} />
        <Figure name="your role" value={family.ontology.role} />
        <Figure name="API family" value={family.name} />
      </dl>
      <div class="table-scroll" tabIndex={0} role="region" aria-label="Properties">
        <table>
          <thead>
            <tr>
              <th scope="col">Property</th>
              <th scope="col">Type</th>
              <th scope="col">Filter</th>
              <th scope="col">Order</th>
              <th scope="col">Description</th>
            </tr>
          </thead>
          <tbody>
            {properties.map(([name, property]) => (
              <tr key={name}>
                <th scope="row">
                  {name}
                  {name === type.primaryKey && <span class="faint"> primary key</span>}
                  {name === type.titleProperty && <span class="faint"> title</span>}
                </th>
                <td>{typeText(property.type)}</td>
                <td>{property.searchable ? 'yes' : <span class="faint">no</span>}</td>
                <td>{property.sortable ? 'yes' : <span class="faint">no</span>}</td>
                <td>{property.description}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {type.orders.length > 0 && (
        <>
          <h2>Declared orders</h2>
          <ul>
            {type.orders.map(({ fields }) => {
              const text = fields.map(({ field, direction = 'asc' }) => `${field} ${direction}`).join(', ')
              return <li key={text}>{text}</li>
            })}
          </ul>
        </>
      )}
      <VersionsOverTime family={family} type={type} />
      <Statistics family={family} type={type} />
      <Audit family={family} type={type} />
    </section>
  )
}
