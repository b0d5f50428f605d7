// Facts about one column of a CSV file, or about one member of the objects of an NDJSON file.
import type { Cell } from '../records/csv-cells.ts'
import { distinctCount, type DistinctCount } from './distinct-count.ts'
import { noteBoolean, noteNumber, noteText, scalarFacts, type ScalarFacts } from './scalar-facts.ts'

/** A scalar, or an object of scalars. */
export interface ItemFacts {
  readonly scalars: ScalarFacts
  objects: number
  readonly components: Map<string, ScalarFacts>
}

export interface ColumnFacts {
  /** As in the file. */
  readonly column: string
  values: number
  readonly distinct: DistinctCount
  readonly item: ItemFacts
  arrays: number
  readonly elements: ItemFacts
  /** Cells of CSV may hold lists and objects as JSON; then all of them must. */
  cellsAreJson: boolean
  /** The first value that no type can hold. */
  unfit: { readonly line: number; readonly problem: string } | undefined
}

const itemFacts = (): ItemFacts => ({ scalars: scalarFacts(), objects: 0, components: new Map() })

export const columnFacts = (column: string, options: { readonly toTheEnd: boolean }): ColumnFacts => ({
  column,
  values: 0,
  distinct: distinctCount(options),
  item: itemFacts(),
  arrays: 0,
  elements: itemFacts(),
  cellsAreJson: true,
  unfit: undefined,
})

export function noteCell(facts: ColumnFacts, { text, isQuoted }: Cell, line: number): void {
  if (text === '' && !isQuoted) return
  facts.values += 1
  facts.distinct.add(text)
  noteText(facts.item.scalars, text, line)
  if (!facts.cellsAreJson) return
  const container = containerIn(text)
  if (container === undefined) facts.cellsAreJson = false
  else noteContainer(facts, container, line)
}

export function noteValue(facts: ColumnFacts, value: unknown, line: number): void {
  if (value === undefined || value === null) return
  facts.values += 1
  if (typeof value === 'object') noteContainer(facts, value, line)
  else {
    facts.distinct.add(typeof value === 'string' ? value : JSON.stringify(value))
    noteScalar(facts.item.scalars, value, line)
  }
}

function noteContainer(facts: ColumnFacts, value: object, line: number): void {
  if (!Array.isArray(value)) {
    noteObject(facts, facts.item, value, line)
    return
  }
  facts.arrays += 1
  for (const element of value) {
    if (element === null) refuse(facts, line, 'has a null inside a list')
    else if (Array.isArray(element)) refuse(facts, line, 'has a list inside a list')
    else if (typeof element === 'object') noteObject(facts, facts.elements, element as object, line)
    else noteScalar(facts.elements.scalars, element, line)
  }
}

function noteObject(facts: ColumnFacts, item: ItemFacts, value: object, line: number): void {
  item.objects += 1
  for (const [name, part] of Object.entries(value) as readonly (readonly [string, unknown])[]) {
    if (part === null) continue
    if (typeof part === 'object') {
      refuse(facts, line, `has a ${Array.isArray(part) ? 'list' : 'object'} inside an object (${name})`)
      continue
    }
    const known = item.components.get(name)
    const component = known ?? scalarFacts()
    if (known === undefined) item.components.set(name, component)
    noteScalar(component, part, line)
  }
}

function noteScalar(facts: ScalarFacts, value: unknown, line: number): void {
  if (typeof value === 'number') noteNumber(facts, value)
  else if (typeof value === 'boolean') noteBoolean(facts)
  else noteText(facts, String(value), line)
}

const refuse = (facts: ColumnFacts, line: number, problem: string): void => {
  facts.unfit ??= { line, problem }
}

function containerIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
