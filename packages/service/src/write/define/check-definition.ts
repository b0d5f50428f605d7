// Checks what the schema of a definition cannot express, and what can be checked without the ontology.
import {
  primaryKeyTypes,
  suggestion,
  type ObjectTypeDefinition,
  type PropertyDefinition,
} from '@octavo/protocol'
import { policyProblems } from '../../catalog/filter/check-policy.ts'
import { countedScalars } from '../../catalog/counts.ts'
import { mostColumns, neededColumns } from '../../catalog/layout-columns.ts'
import { linkProblems } from './check-links.ts'
import type { DefinitionProblem } from './definition-problem.ts'

const keyTypes: readonly unknown[] = primaryKeyTypes
const countable: readonly unknown[] = countedScalars

export function definitionProblems(definition: ObjectTypeDefinition): readonly DefinitionProblem[] {
  const problems: DefinitionProblem[] = []
  const refuse = (path: string, problem: string) => problems.push({ path, problem })
  const { properties } = definition
  const find = (name: string): PropertyDefinition | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : undefined

  const key = find(definition.primaryKey)
  if (key === undefined) refuse('/primaryKey', notAmong(definition.primaryKey, properties))
  else if (!keyTypes.includes(key.type)) {
    refuse('/primaryKey', `${definition.primaryKey} must have one of the types ${primaryKeyTypes.join(', ')}`)
  }

  const title = find(definition.titleProperty)
  if (title === undefined) {
    refuse('/titleProperty', notAmong(definition.titleProperty, properties))
  } else if (title.type !== 'string' && definition.titleProperty !== definition.primaryKey) {
    refuse('/titleProperty', `${definition.titleProperty} must be a string`)
  }

  const byFolded = new Map<string, string>()
  for (const [name, property] of Object.entries(properties)) {
    // Property names in URLs are compared without regard to case.
    const twin = byFolded.get(name.toLowerCase())
    if (twin !== undefined)
      refuse(`/properties/${name}`, `differs only in case from ${twin}: rename one of them`)
    byFolded.set(name.toLowerCase(), name)
    if (property.sortable && typeof property.type !== 'string') {
      refuse(`/properties/${name}/sortable`, 'only a scalar can be sortable')
    }
    if (property.counted && !countable.includes(property.type)) {
      refuse(
        `/properties/${name}/counted`,
        `only a property of type ${countedScalars.join(', ')} can be counted`,
      )
    } else if (property.counted && name === definition.primaryKey) {
      refuse(`/properties/${name}/counted`, 'every object has another primary key: remove it')
    }
  }

  const columns = neededColumns(definition).length
  if (columns > mostColumns) {
    refuse(
      '/properties',
      `need ${columns} columns for what is searchable or sortable (a struct needs one for each component, a searchable string a second one for its terms), but the maximum is ${mostColumns}: make fewer of them searchable or sortable`,
    )
  }

  for (const [i, { fields }] of (definition.orders ?? []).entries()) {
    const names = new Set<string>()
    for (const { field: property } of fields) {
      const found = find(property)
      if (found === undefined) refuse(`/orders/${i}`, `${property} is not among the properties`)
      else if (typeof found.type !== 'string') refuse(`/orders/${i}`, `${property} is not a scalar`)
      if (names.has(property)) refuse(`/orders/${i}`, `${property} is in this order twice`)
      names.add(property)
    }
    if (fields.slice(0, -1).some(({ field }) => field === definition.primaryKey)) {
      refuse(`/orders/${i}`, 'keys after the primary key have no effect: remove them')
    }
  }
  problems.push(...linkProblems(definition))
  // Checking a policy needs an object type, and only a definition without problems makes one.
  return problems.length > 0 ? problems : policyProblems(definition)
}

const notAmong = (name: string, properties: object): string =>
  `${name} is not among the properties${suggestion(name, Object.keys(properties))}`
