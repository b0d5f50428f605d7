// How an object is called where one line must do: a text that is named like a title, or else the key.
import type { GuessedColumn } from './guessed-column.ts'

const mostTitleBytes = 250
const titleNames = [/^(?:name|title|label|fullName|displayName|subject)$/, /(?:Name|Title|Label)$/]

export function chooseTitle(columns: readonly GuessedColumn[], key: GuessedColumn): GuessedColumn {
  const texts = columns.filter(
    ({ type, facts }) =>
      type === 'string' && facts.values > 0 && facts.item.scalars.mostBytes <= mostTitleBytes,
  )
  for (const names of titleNames) {
    const found = texts.find(({ property }) => names.test(property))
    if (found !== undefined) return found
  }
  return key
}
