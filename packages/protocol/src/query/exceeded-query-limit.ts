import type { ErrorParameters } from '../errors/error-name.ts'
import { limits } from '../base/limits.ts'
import { operatorsTaking } from './operators.ts'

const textTypes: ReadonlySet<unknown> = new Set([...operatorsTaking('text'), 'keyword'])
const encoder = new TextEncoder()

/**
 * The limit that a query exceeds, or undefined. Takes an unchecked query, and traverses it with a list instead of by
 * recursion, so that no nesting can exhaust the stack.
 */
export function exceededQueryLimit(query: unknown): ErrorParameters<'QueryTooLarge'> | undefined {
  const open: { readonly node: unknown; readonly depth: number }[] = [{ node: query, depth: 1 }]
  let nodes = 0
  let links = 0
  let inValues = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next
    if (!isNode(node)) continue
    nodes += 1
    if (nodes > limits.query.nodes) return { limit: 'nodes', maximum: limits.query.nodes }
    if (depth > limits.query.depth) return { limit: 'depth', maximum: limits.query.depth }
    if (node['type'] === 'linked') links += 1
    if (links > limits.query.links) return { limit: 'links', maximum: limits.query.links }
    const tooLong = exceededInNode(node)
    if (tooLong !== undefined) return tooLong
    inValues += inValuesOf(node).length
    const { allInValues } = limits.query
    if (inValues > allInValues) return { limit: 'allInValues', maximum: allInValues }
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 })
  }
  return undefined
}

type Node = Readonly<Record<string, unknown>>

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function childrenOf(node: Node): readonly unknown[] {
  const value = node['value']
  if (node['type'] === 'not') return [value]
  if (node['type'] === 'linked') return [node['query']]
  if (node['type'] !== 'and' && node['type'] !== 'or') return []
  // One element more than the limit is enough to prove that it is exceeded.
  return Array.isArray(value) ? value.slice(0, limits.query.nodes + 1) : []
}

const inValuesOf = ({ type, value }: Node): readonly unknown[] =>
  type === 'in' && Array.isArray(value) ? value : []

function exceededInNode(node: Node): ErrorParameters<'QueryTooLarge'> | undefined {
  const { inValues, textBytes } = limits.query
  if (inValuesOf(node).length > inValues) return { limit: 'inValues', maximum: inValues }
  const text = node['type'] === 'keyword' ? node['query'] : node['value']
  if (textTypes.has(node['type']) && typeof text === 'string' && encoder.encode(text).length > textBytes) {
    return { limit: 'textBytes', maximum: textBytes }
  }
  return undefined
}
