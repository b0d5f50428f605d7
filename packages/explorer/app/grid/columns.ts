// Which columns are shown, in which order and how wide. Hand-written: order, visibility, pins and widths are four lists of names, and
// sorting and filtering are the service's, so a table library would bring 15 kB for what stands here.
import { isNumeric, typeText, type ObjectType, type Property } from '../types/object-type.ts'

export interface ColumnSettings {
  /** Visible columns from left to right. */
  readonly shown?: readonly string[]
  readonly pinned?: readonly string[]
  readonly widths?: Readonly<Record<string, number>>
}

export interface Column {
  readonly name: string
  readonly property: Property
  readonly isPinned: boolean
  readonly isNumeric: boolean
  readonly width: number
  /** The distance from the left edge of the row. */
  readonly left: number
}

export const narrowest = 60
const widest = 1_200

const widthByType: Readonly<Record<string, number>> = {
  boolean: 90,
  integer: 110,
  long: 120,
  double: 120,
  decimal: 110,
  date: 120,
  timestamp: 200,
  string: 170,
}

const usualWidth = (name: string, { type }: Property): number =>
  Math.max(widthByType[typeText(type)] ?? 220, Math.min(280, 46 + name.length * 8))

export interface ChosenColumns {
  readonly columns: readonly Column[]
  /** Names that were asked for and do not exist. */
  readonly unknown: readonly string[]
}

/** The primary key comes first, whatever the definition says, and is pinned unless something else was chosen. */
export function chooseColumns(
  type: ObjectType,
  named: readonly string[] | undefined,
  settings: ColumnSettings,
): ChosenColumns {
  const all = [type.primaryKey, ...Object.keys(type.properties).filter((name) => name !== type.primaryKey)]
  const exists = (name: string): boolean => Object.hasOwn(type.properties, name)
  const wanted = [...new Set(named ?? settings.shown ?? all)]
  const existing = wanted.filter(exists)
  const names = existing.length > 0 ? existing : all
  const pinned = new Set(settings.pinned ?? [type.primaryKey])
  const ordered = [...names.filter((name) => pinned.has(name)), ...names.filter((name) => !pinned.has(name))]
  let left = 0
  const columns = ordered.flatMap((name): Column[] => {
    const property = type.properties[name]
    if (property === undefined) return []
    const width = Math.min(widest, Math.max(narrowest, settings.widths?.[name] ?? usualWidth(name, property)))
    left += width
    return [
      {
        name,
        property,
        width,
        left: left - width,
        isPinned: pinned.has(name),
        isNumeric: isNumeric(property),
      },
    ]
  })
  return { columns, unknown: named === undefined ? [] : wanted.filter((name) => !exists(name)) }
}

export const widthOf = (columns: readonly Column[]): number => {
  const last = columns.at(-1)
  return last === undefined ? 0 : last.left + last.width
}

const storedAs = (family: string, type: string): string => `octavo.columns.${family}.${type}`

export function rememberedColumns(family: string, type: string): ColumnSettings {
  try {
    return JSON.parse(localStorage.getItem(storedAs(family, type)) ?? '{}') as ColumnSettings
  } catch {
    return {}
  }
}

export function rememberColumns(family: string, type: string, settings: ColumnSettings): void {
  localStorage.setItem(storedAs(family, type), JSON.stringify(settings))
}
