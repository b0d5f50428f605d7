// Checks the links of a definition against the other object types of its ontology.
import { baseTypeName, suggestion, type LinkDefinition, type ObjectTypeDefinition } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { DefinitionProblem } from './definition-problem.ts'

/** What only the definition itself must say: a link needs a searchable property that can hold keys. */
export function linkProblems({
  links = {},
  properties,
  primaryKey,
}: ObjectTypeDefinition): readonly DefinitionProblem[] {
  return Object.entries(links).flatMap(([name, { foreignKeyProperty: property }]) => {
    const path = `/links/${name}/foreignKeyProperty`
    const found = Object.hasOwn(properties, property) ? properties[property] : undefined
    if (found === undefined) {
      const problem = `${property} is not among the properties${suggestion(property, Object.keys(properties))}`
      return [{ path, problem }]
    }
    if (scalarOf(found.type) === undefined) {
      return [{ path, problem: `${property} must hold the key of an object, or an array of keys: no struct` }]
    }
    if (found.searchable !== true && property !== primaryKey) {
      return [
        { path, problem: `${property} has no index: add "searchable": true to /properties/${property}` },
      ]
    }
    return []
  })
}

/** The type of one key that a property holds. */
const scalarOf = (type: ObjectTypeDefinition['properties'][string]['type']): string | undefined => {
  const one = typeof type === 'object' && 'array' in type ? type.array : type
  return typeof one === 'string' ? one : undefined
}

/** What the other types of the ontology must allow. A dry run cannot know the types that are applied together with this one. */
export function checkLinks(
  definition: ObjectTypeDefinition,
  existing: readonly ObjectTypeDefinition[],
  { isDryRun = false }: { readonly isDryRun?: boolean } = {},
): void {
  const { apiName, links = {} } = definition
  const all = [...existing.filter((other) => other.apiName !== apiName), definition]
  const problems = Object.entries(links).flatMap(([name, link]) => {
    const target = all.find((other) => other.apiName === link.objectType)
    if (target !== undefined) return fitProblems(definition, target, { ...link, name }, namesIn(all))
    if (isDryRun) return []
    const names = all.map((other) => other.apiName)
    const problem = `there is no object type ${link.objectType} in this ontology${suggestion(link.objectType, names)}; if it is new, apply it first`
    return [{ path: `/links/${name}/objectType`, problem }]
  })
  if (problems.length > 0) throw new ServiceError('InvalidDefinition', { problems })
}

/** The names of links, as often as they are declared, each with its type. */
const namesIn = (all: readonly ObjectTypeDefinition[]): readonly string[] =>
  all.flatMap(({ apiName, links = {} }) =>
    Object.entries(links).flatMap(([name, { objectType, reverse }]) => [
      `${apiName} ${name}`,
      `${objectType} ${reverse}`,
    ]),
  )

function fitProblems(
  { apiName, properties }: ObjectTypeDefinition,
  target: ObjectTypeDefinition,
  { name, foreignKeyProperty: property, reverse }: LinkDefinition & { readonly name: string },
  names: readonly string[],
): readonly DefinitionProblem[] {
  const problems: DefinitionProblem[] = []
  const held = properties[property]
  const key = target.properties[target.primaryKey]
  if (held !== undefined && key !== undefined && scalarOf(held.type) !== key.type) {
    problems.push({
      path: `/links/${name}/foreignKeyProperty`,
      problem: `${property} is ${baseTypeName(held.type)}, but the keys of ${target.apiName} are ${baseTypeName(key.type)}`,
    })
  }
  const isTwice = (type: string, link: string) =>
    names.filter((other) => other === `${type} ${link}`).length > 1
  if (isTwice(apiName, name)) {
    problems.push({
      path: `/links/${name}`,
      problem: `${apiName} has another link of this name: choose another`,
    })
  }
  if (isTwice(target.apiName, reverse)) {
    const problem = `${target.apiName} has another link ${reverse}: choose another name for this side`
    problems.push({ path: `/links/${name}/reverse`, problem })
  }
  return problems
}
