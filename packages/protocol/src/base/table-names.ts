/** The names of the rows of a closed table, typed as their union. */
export function tableNames<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  // Object.keys widens the names to string, because a value may have more keys than its type; a `const` table does not.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(table) as (keyof Table & string)[]
}
