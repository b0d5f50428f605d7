// What an object is linked to. A link is followed in the address, so that the browser's back button leads back.
import type { FoundObject, Query } from '@octavo/client'
import { visibleText } from '../grid/cell-text.ts'
import type { LinkType, ObjectType } from '../types/object-type.ts'
import { followed, toType } from '../types/type-list.tsx'
import { addressOf, go, type ViewChange } from '../url/location.ts'
import { keyQuery } from './key-query.ts'

interface ObjectLinksProps {
  readonly family: string
  readonly type: ObjectType
  readonly object: FoundObject
}

export function ObjectLinks({ family, type, object }: ObjectLinksProps) {
  const targets = Object.entries(type.links).flatMap(([name, link]) => {
    const target = targetOf({ family, type, object }, link)
    return target === undefined ? [] : [{ name, ...target }]
  })
  if (targets.length === 0) return null
  return (
    <section class="links" aria-label="Links">
      <h3>Links</h3>
      <ul>
        {targets.map(({ name, label, change }) => (
          <li key={name}>
            <a href={addressOf(change)} onClick={followed(() => go(change))}>
              {name}
            </a>{' '}
            <span class="faint">{label}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** One object is opened; of several, the table of its type shows those that are linked to this one. */
function targetOf(
  { family, type, object }: ObjectLinksProps,
  { objectType, cardinality, foreignKeyProperty, reverse }: LinkType,
): { readonly label: string; readonly change: ViewChange } | undefined {
  const held = foreignKeyProperty === undefined ? undefined : object.properties[foreignKeyProperty]
  if (foreignKeyProperty !== undefined && held === undefined) return undefined
  if (cardinality === 'ONE') {
    // One key is a scalar.
    if (held === undefined || typeof held === 'object') return undefined
    const key = String(held)
    return {
      label: visibleText(`${objectType} ${key}`),
      change: { ...toType(family, objectType), object: key },
    }
  }
  const query: Query = { type: 'linked', link: reverse, query: keyQuery(type, object.primaryKey) }
  return { label: `every linked ${objectType}`, change: { ...toType(family, objectType), query } }
}
