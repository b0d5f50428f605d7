import { addressOf, go, view } from '../url/location.ts'
import { catalog, objectCounts, type Family, type FoundType } from './catalog.ts'

export const numberText = (count: string | number): string => Number(count).toLocaleString('en-GB')

/** What another type begins with: nothing that belongs to the one before. */
const fresh = {
  query: undefined,
  order: [],
  columns: undefined,
  facets: undefined,
  object: undefined,
  at: undefined,
} as const

export const toType = (family: string, type: string) => ({ ...fresh, family, type })

/** A link for the browser's own ways to open it; a plain click stays on the page. */
export const followed =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    act()
  }

export function TypeList({ found }: { readonly found: FoundType | undefined }) {
  const read = catalog.value
  if (read.kind !== 'read') return null
  return (
    <nav class="types" aria-label="Object types">
      {read.families.map((family) => (
        <section key={family.name}>
          <h2 title={family.ontology.description}>{family.ontology.displayName}</h2>
          <ul>
            {family.types.map((type) => (
              <TypeLink
                key={type.apiName}
                family={family}
                name={type.apiName}
                label={type.displayName}
                isCurrent={found?.family === family && found.type === type}
              />
            ))}
          </ul>
          {family.types.length === 0 && <p class="faint">No types yet.</p>}
        </section>
      ))}
    </nav>
  )
}

interface TypeLinkProps {
  readonly family: Family
  readonly name: string
  readonly label: string
  readonly isCurrent: boolean
}

function TypeLink({ family, name, label, isCurrent }: TypeLinkProps) {
  const target = toType(family.name, name)
  const count = objectCounts.value[family.name]?.[name]
  return (
    <li>
      <a
        href={addressOf(target)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={followed(() => go(target))}
      >
        <span>{label}</span>
        {count !== undefined && <span class="count">{numberText(count)}</span>}
      </a>
    </li>
  )
}

/** The same list where there is no room for it. */
export function TypePicker({ found }: { readonly found: FoundType | undefined }) {
  const read = catalog.value
  if (read.kind !== 'read') return null
  const { family, type } = view.value
  return (
    <select
      class="type-picker"
      aria-label="Object type"
      value={`${found?.family.name ?? family}/${found?.type.apiName ?? type}`}
      onChange={({ currentTarget }) => {
        const [name = '', chosen = ''] = currentTarget.value.split('/')
        go(toType(name, chosen))
      }}
    >
      {read.families.map(({ name, ontology, types }) => (
        <optgroup key={name} label={ontology.displayName}>
          {types.map(({ apiName, displayName }) => (
            <option key={apiName} value={`${name}/${apiName}`}>
              {displayName}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}
