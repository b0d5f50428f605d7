/** The names of the rows of a closed table, as the union they are. */
export function tableNames<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  // Object.keys forgets the names because a value may have more keys than its type; a `const` table has not.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(table) as (keyof Table & string)[]
}
