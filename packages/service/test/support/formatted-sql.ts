import { format } from 'sql-formatter'

/** A statement as a person would write it, for snapshots that a person reviews. */
export const formattedSql = (text: string): string =>
  format(text, { language: 'postgresql', keywordCase: 'lower', expressionWidth: 100, linesBetweenQueries: 0 })
