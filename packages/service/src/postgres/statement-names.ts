// Prepared statements are named by their text. Each connection keeps the plan of each name that it has used, so the number of
// names is bounded.
import { lruCache } from '../base/lru-cache.ts'

const mostNames = 500

/**
 * Beyond the bound, statements get no name and are prepared each time. For statements of which there are few, whatever callers
 * ask.
 */
export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    let name = names.get(text)
    if (name === undefined && names.size < mostNames) {
      name = `octavo_${names.size + 1}`
      names.set(text, name)
    }
    return name
  }
}

/**
 * Beyond the bound, the least recently used text loses its name. Used for pages, as every type has its own. No name is assigned
 * twice, and a connection evicts its least recently used statements (bytes-query.ts).
 */
export function recentStatementNames(most = 4 * mostNames): (text: string) => string {
  const names = lruCache<string>(most)
  let given = 0
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    given += 1
    const name = `octavo_page_${given}`
    names.set(text, name)
    return name
  }
}
