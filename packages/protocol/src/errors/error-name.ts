import { tableNames } from '../base/table-names.ts'
import type { Wire } from '../base/wire.ts'
import { errorTable } from './error-table.ts'

export type ErrorName = keyof typeof errorTable

/** The type of `parameters` when `errorName` is `Name`. */
export type ErrorParameters<Name extends ErrorName> = Wire<(typeof errorTable)[Name]['parameters']>

export const errorNames = tableNames(errorTable)

export function isErrorName(name: string): name is ErrorName {
  return Object.hasOwn(errorTable, name)
}
