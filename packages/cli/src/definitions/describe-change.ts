import type { DefinitionChange } from '@octavo/protocol'
import { pointerPath } from './pointer-path.ts'

/** One change of a definition as text: `property delay: searchable false -> true`. */
export function describeChange({ path, before, after }: DefinitionChange): string {
  const parts = pointerPath(path).map(String)
  const inProperty = parts[0] === 'properties' && parts[1] !== undefined
  const subject = inProperty ? `property ${parts[1]}` : ''
  const rest = (inProperty ? parts.slice(2) : parts).join('.')
  if (rest === '')
    return `${subject} ${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}`
  const shown = `${rest} ${valueText(rest, before)} -> ${valueText(rest, after)}`
  return subject === '' ? shown : `${subject}: ${shown}`
}

const switches: ReadonlySet<string> = new Set(['required', 'searchable', 'sortable', 'counted'])

/** A boolean that is not declared is false. */
function valueText(name: string, value: unknown): string {
  if (value === undefined) return switches.has(name) ? 'false' : 'none'
  return JSON.stringify(value)
}
