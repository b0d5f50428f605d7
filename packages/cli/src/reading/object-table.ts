import { wrongUse } from '../base/cli-error.ts'
import { columnGap, type TableColumn } from '../output/format-table.ts'
import { textWidth } from '../output/text-width.ts'
import type { ShownObject } from './object-source.ts'
import { shownValue } from './shown-value.ts'
import { isNumeric, noProperty, type TypeFacts } from './type-facts.ts'

export interface ObjectColumns {
  readonly columns: readonly TableColumn[]
  readonly cellsOf: (object: ShownObject) => readonly string[]
  /** Properties that did not fit. */
  readonly leftOut: readonly string[]
}

/** A longer value is truncated, so that one property does not push out all the others. */
const widestCell = 30

/** The columns that were asked for; else the key, the title, then as many other properties as fit, in the order of the definition. */
export function chooseColumns(
  facts: TypeFacts,
  sample: readonly ShownObject[],
  width: number,
  asked?: readonly string[],
): ObjectColumns {
  const first = [facts.primaryKey, facts.titleProperty ?? facts.primaryKey]
  const names = [...new Set([...first, ...facts.properties.keys()])]
  const chosen: string[] = [...(asked ?? [])]
  let used = 0
  for (const name of asked === undefined ? names : []) {
    const needed = Math.min(widestCell, widestOf(name, sample)) + (chosen.length === 0 ? 0 : columnGap)
    if (first.includes(name) || used + needed <= width) {
      chosen.push(name)
      used += needed
    }
  }
  return {
    columns: chosen.map((name) => ({
      title: name,
      align: isNumeric(facts.properties.get(name)) ? 'right' : 'left',
    })),
    cellsOf: ({ properties }) => chosen.map((name) => shownValue(properties[name])),
    leftOut: asked === undefined ? names.filter((name) => !chosen.includes(name)) : [],
  }
}

const widestOf = (name: string, sample: readonly ShownObject[]): number =>
  sample.reduce(
    (widest, { properties }) => Math.max(widest, textWidth(shownValue(properties[name]))),
    textWidth(name),
  )

/** The properties of `--columns a,b`, in that order; undefined if it was not given. */
export function readColumns(
  texts: readonly string[] | undefined,
  facts: TypeFacts,
): readonly string[] | undefined {
  const names = texts?.flatMap((text) => text.split(',')).map((name) => name.trim())
  const unknown = names?.find((name) => !facts.properties.has(name))
  if (unknown !== undefined) throw wrongUse(`--columns: ${noProperty(unknown, facts)}`)
  return names && [...new Set(names)]
}
