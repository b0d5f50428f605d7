// What applying would change, according to the service: a dry run for each definition.
import type {
  AppliedObjectType,
  AppliedOntology,
  DefinitionChange,
  ObjectTypeDefinition,
  OntologyDefinition,
} from '@octavo/protocol'
import type { Connection } from '../connection/connection.ts'
import { objectTypesOf } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { ServiceRefused } from '../connection/service-errors.ts'
import { missingLinkTargets } from './missing-link-targets.ts'
import { pointerPath, type Path } from './pointer-path.ts'
import type { ReadDefinition } from './read-definition-file.ts'
import type { DefinitionProblem } from './definition-problem.ts'

export type Outcome = AppliedObjectType['outcome']

export interface PlannedChange {
  readonly kind: 'ontology' | 'type'
  readonly apiName: string
  readonly outcome: Outcome
  readonly changes: readonly DefinitionChange[]
}

export interface Plan {
  readonly changes: readonly PlannedChange[]
  /** What the service refuses because it would lose data or break a rule. */
  readonly problems: readonly DefinitionProblem[]
}

/** Plans every definition, even after one was refused, so that the user sees all problems at once. */
export async function planDefinitions(
  connection: Connection,
  files: readonly ReadDefinition[],
): Promise<Plan> {
  const changes: PlannedChange[] = []
  const problems: DefinitionProblem[] = []
  for (const file of files) {
    const { ontology, objectTypes = [] } = file.content
    const asked = await orProblems(file, ['ontology'], putOntology(connection, ontology, { dryRun: true }))
    if ('problems' in asked) {
      problems.push(...asked.problems)
      continue
    }
    changes.push({ kind: 'ontology', apiName: ontology.apiName, ...asked.answer })
    const { rid } = asked.answer
    const existing = async () =>
      rid === undefined ? [] : (await objectTypesOf(connection, { rid })).map(({ apiName }) => apiName)
    problems.push(...(await missingLinkTargets(file, files, existing)))
    for (const [i, definition] of objectTypes.entries()) {
      const { apiName } = definition
      if (rid === undefined) {
        // The ontology does not exist yet, so the type does not either.
        changes.push({ kind: 'type', apiName, outcome: 'created', changes: [] })
        continue
      }
      const planned = await orProblems(
        file,
        ['objectTypes', i],
        putObjectType(connection, rid, definition, { dryRun: true }),
      )
      if ('problems' in planned) problems.push(...planned.problems)
      else changes.push({ kind: 'type', apiName, ...planned.answer })
    }
  }
  return { changes, problems }
}

interface PutOptions {
  readonly dryRun: boolean
}

export const putOntology = (
  connection: Connection,
  definition: OntologyDefinition,
  { dryRun }: PutOptions,
): Promise<AppliedOntology> =>
  connection.json<AppliedOntology>({
    method: 'PUT',
    path: requestPath`/manage/v1/ontologies/${definition.apiName}`,
    json: definition,
    query: { dryRun: dryRun ? 'true' : undefined },
  })

export const putObjectType = (
  connection: Connection,
  ontologyRid: string,
  definition: ObjectTypeDefinition,
  { dryRun }: PutOptions,
): Promise<AppliedObjectType> =>
  connection.json<AppliedObjectType>({
    method: 'PUT',
    path: requestPath`/manage/v1/ontologies/${ontologyRid}/objectTypes/${definition.apiName}`,
    json: definition,
    query: { dryRun: dryRun ? 'true' : undefined },
  })

type Asked<Answer> = { readonly answer: Answer } | { readonly problems: readonly DefinitionProblem[] }

/**
 * Turns refusals of the definition itself into problems with their lines in the file. Any other failure ends the command.
 */
async function orProblems<Answer>(
  { problemAt }: ReadDefinition,
  path: Path,
  asking: Promise<Answer>,
): Promise<Asked<Answer>> {
  try {
    return { answer: await asking }
  } catch (error) {
    if (!(error instanceof ServiceRefused)) throw error
    const { errorName, parameters } = error
    if (errorName === 'InvalidDefinition' || errorName === 'IncompatibleDefinition') {
      const problems = listOf(parameters['problems']).map((found) =>
        problemAt([...path, ...pointerPath(textOf(found, 'path'))], textOf(found, 'problem')),
      )
      return { problems }
    }
    throw error
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const textOf = (value: unknown, field: string): string =>
  typeof value === 'object' && value !== null ? String(Reflect.get(value, field) ?? '') : ''
