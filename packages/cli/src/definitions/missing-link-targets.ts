// A dry run of one type cannot know the types that are applied together with it, so the command itself looks where links lead.
import { suggestion } from '@octavo/protocol/vocabulary'
import type { DefinitionProblem } from './definition-problem.ts'
import type { ReadDefinition } from './read-definition-file.ts'

/** Links to types that are neither in one of the files nor in the service; `existing` is asked only if it matters. */
export async function missingLinkTargets(
  file: ReadDefinition,
  files: readonly ReadDefinition[],
  existing: () => Promise<readonly string[]>,
): Promise<readonly DefinitionProblem[]> {
  const { ontology, objectTypes = [] } = file.content
  const declared = files
    .filter(({ content }) => content.ontology.apiName === ontology.apiName)
    .flatMap(({ content }) => (content.objectTypes ?? []).map(({ apiName }) => apiName))
  const unknown = objectTypes.flatMap(({ links = {} }, i) =>
    Object.entries(links)
      .filter(([, { objectType }]) => !declared.includes(objectType))
      .map(([name, { objectType }]) => ({
        path: ['objectTypes', i, 'links', name, 'objectType'],
        objectType,
      })),
  )
  if (unknown.length === 0) return []
  const names = [...declared, ...(await existing())]
  return unknown
    .filter(({ objectType }) => !names.includes(objectType))
    .map(({ path, objectType }) =>
      file.problemAt(
        path,
        `there is no object type ${objectType}, neither here nor in the ontology${suggestion(objectType, names)}`,
      ),
    )
}
