import { definitionFileSchema, type DefinitionFile } from '@octavo/protocol'
import { definitionProblems } from '@octavo/service'
import { isMap, isNode, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml'
import type { DefinitionProblem } from './definition-problem.ts'
import { pointerPath, type Path } from './pointer-path.ts'
import { shapeProblems } from './shape-problems.ts'

export interface ReadDefinition {
  readonly content: DefinitionFile
  /** Turns a path into its line and column in the file, for problems that the service reports. */
  readonly problemAt: (path: Path, problem: string) => DefinitionProblem
}

export type DefinitionFileRead =
  | ({ readonly kind: 'read' } & ReadDefinition)
  | { readonly kind: 'refused'; readonly problems: readonly DefinitionProblem[] }

/** Reads YAML, of which JSON is a subset. Reports every problem, not only the first. */
export function readDefinitionFile(file: string, text: string): DefinitionFileRead {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ code, pos, message }) => ({
      file,
      ...positionOf(lines, pos[0]),
      location: '',
      problem: yamlProblems[code] ?? message,
    }))
    return { kind: 'refused', problems }
  }
  const value = valueOf(document)
  const problemAt = (path: Path, problem: string): DefinitionProblem => ({
    file,
    ...positionOf(lines, startOf(document, path)),
    location: locationText(path, value),
    problem,
  })
  if (value === null || value === expanded) {
    return { kind: 'refused', problems: [problemAt([], value === null ? isEmpty : isExpanded)] }
  }
  const misshapen = shapeProblems(definitionFileSchema, value)
  if (misshapen.length > 0) {
    return { kind: 'refused', problems: misshapen.map(({ path, problem }) => problemAt(path, problem)) }
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the shape, as was just checked
  const content = value as DefinitionFile
  const problems = ruleProblems(content).map(({ path, problem }) => problemAt(path, problem))
  return problems.length > 0 ? { kind: 'refused', problems } : { kind: 'read', content, problemAt }
}

/** Where the parser's own words are for programmers. */
const yamlProblems: Readonly<Record<string, string | undefined>> = {
  TAB_AS_INDENT: 'a tab indents this line: use spaces',
  MULTIPLE_DOCS: 'a second document begins here, after ---: put it in a separate file',
}

const isEmpty = 'the file is empty: write ontology and objectTypes in it, or let octavo init write them'
const isExpanded = 'its aliases (*NAME) stand for too much: write out what they stand for'

const expanded = Symbol('aliases that stand for too much')

/** A few lines of aliases can stand for gigabytes; the parser refuses to make them. */
function valueOf(document: Document): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof ReferenceError) return expanded
    throw error
  }
}

/** What the schema cannot express: the rules that the service also checks, before anything is sent. */
function ruleProblems({ objectTypes = [] }: DefinitionFile) {
  const seen = new Set<string>()
  return objectTypes.flatMap((definition, i) => {
    const repeated = seen.has(definition.apiName)
    seen.add(definition.apiName)
    return [
      ...(repeated
        ? [{ path: ['objectTypes', i, 'apiName'], problem: `${definition.apiName} is declared twice` }]
        : []),
      ...definitionProblems(definition).map(({ path, problem }) => ({
        path: ['objectTypes', i, ...pointerPath(path)],
        problem,
      })),
    ]
  })
}

/** The start of the innermost node on the path that exists: a missing field is reported at the node that lacks it. */
function startOf(document: Document, path: Path): number {
  let start = isNode(document.contents) ? (document.contents.range?.[0] ?? 0) : 0
  let node: unknown = document.contents
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === part)
      if (pair === undefined) break
      if (isScalar(pair.key)) start = pair.key.range?.[0] ?? start
      node = pair.value
    } else {
      const items: readonly unknown[] =
        typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items)
          ? node.items
          : []
      const item = items[Number(part)]
      if (!isNode(item)) break
      start = item.range?.[0] ?? start
      node = item
    }
  }
  return start
}

function positionOf(lines: LineCounter, start: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(start)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

/** `type flight, property delay` is clearer than `/objectTypes/2/properties/delay`. */
function locationText(path: Path, value: unknown): string {
  const words: string[] = []
  let inner: unknown = value
  let before: string | number | undefined
  for (const [i, part] of path.entries()) {
    const isLast = i === path.length - 1
    inner = typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined
    if (before === 'objectTypes') words.push(`type ${apiNameOf(inner) ?? Number(part) + 1}`)
    else if (before === 'properties') words.push(`property ${part}`)
    else if (before === 'orders') words.push(`order ${Number(part) + 1}`)
    else if (isLast || !['objectTypes', 'properties', 'orders'].includes(String(part)))
      words.push(String(part))
    // Names below a property belong to the property, even if they are the same words.
    before = before === 'properties' ? undefined : part
  }
  return words.join(', ')
}

const apiNameOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'apiName' in value && typeof value.apiName === 'string'
    ? value.apiName
    : undefined
