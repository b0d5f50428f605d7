import type { ManagedObjectType, ManagedOntology, ObjectTypeStatistics } from '@octavo/protocol'
import { CliError, wrongUse } from '../base/cli-error.ts'
import { exitCodes } from '../base/exit-codes.ts'
import type { Connection } from './connection.ts'
import { requestPath } from './request-path.ts'
import { ServiceRefused, suggestionIn } from './service-errors.ts'

export const objectTypesOf = (
  connection: Connection,
  { rid }: Pick<ManagedOntology, 'rid'>,
): Promise<readonly ManagedObjectType[]> =>
  connection.allItems<ManagedObjectType>({ path: requestPath`/manage/v1/ontologies/${rid}/objectTypes` })

/** What a type holds; for its writers. */
export const statisticsOf = (
  connection: Connection,
  { rid }: Pick<ManagedOntology, 'rid'>,
  apiName: string,
): Promise<ObjectTypeStatistics> =>
  connection.json<ObjectTypeStatistics>({
    path: requestPath`/manage/v1/ontologies/${rid}/objectTypes/${apiName}/statistics`,
  })

/** One object type by its API name. If it does not exist, the error lists the types that do. */
export async function findObjectType(
  connection: Connection,
  ontology: Pick<ManagedOntology, 'rid' | 'apiName'>,
  apiName: string,
  /** The other words of the command: one of them may be the type. */
  others: readonly string[] = [],
): Promise<ManagedObjectType> {
  try {
    return await connection.json<ManagedObjectType>({
      path: requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${apiName}`,
    })
  } catch (error) {
    if (!(error instanceof ServiceRefused) || error.errorName !== 'ObjectTypeNotFound') throw error
    const names = (await objectTypesOf(connection, ontology)).map((type) => type.apiName)
    const there = names.join(', ')
    const meant = others.find((other) => names.includes(other))
    if (meant !== undefined) throw typeComesFirst(apiName, meant)
    throw new CliError(
      there === ''
        ? `The ontology ${ontology.apiName} has no object types yet: declare ${apiName} with octavo apply.`
        : `The ontology ${ontology.apiName} has no object type ${apiName}${suggestionIn(error)} It has ${there}.`,
      exitCodes.wrongUse,
      { cause: error },
    )
  }
}

export const typeComesFirst = (given: string, meant: string): CliError =>
  wrongUse(`${given} is not an object type, but ${meant} is: the type comes first.`)
