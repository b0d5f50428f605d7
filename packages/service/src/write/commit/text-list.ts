// Many JSON texts as one parameter. In an array, each of their quotes would have to be escaped here and unescaped by PostgreSQL.
// Joined by a character that cannot occur in JSON text, they need neither (a third of the time that Node spends on a batch).
import type { Parameters } from '../../base/sql-query.ts'

const between = '\u001f'
const none = '\u001e'

export function jsonTexts(texts: readonly (string | null)[], parameters: Parameters): string {
  const joined = parameters.add(texts.map((text) => text ?? none).join(between), 'text')
  return `string_to_array(${joined}, ${parameters.add(between, 'text')}, ${parameters.add(none, 'text')})`
}
