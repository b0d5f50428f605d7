// Checks the shape of a definition's body. The catalog checks what a schema cannot express.
import {
  exceededQueryLimit,
  objectTypeDefinitionSchema,
  ontologyDefinitionSchema,
  type ObjectTypeDefinition,
  type OntologyDefinition,
} from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import { ServiceError } from '../../base/errors/service-error.ts'
import { requireBody } from './check-shape.ts'
import { explainShape, type ShapeProblem } from './explain-shape.ts'
import { isJsonObject } from '../../base/value/json-object.ts'

const ontologyDefinition = Compile(ontologyDefinitionSchema)
const objectTypeDefinition = Compile(objectTypeDefinitionSchema)

export function parseOntologyDefinition(body: unknown): OntologyDefinition {
  requireBody(body)
  if (!ontologyDefinition.Check(body)) throw refusal(shapeProblems(ontologyDefinitionSchema, body))
  return body
}

export function parseObjectTypeDefinition(body: unknown, apiName: string): ObjectTypeDefinition {
  requireBody(body)
  // Checked before the shape: a policy that nests too deep would exhaust the stack of any code that traverses it.
  const exceeded = isJsonObject(body) ? exceededQueryLimit(body['policy']) : undefined
  if (exceeded !== undefined) {
    const problem = `it is too large for a query: ${exceeded.limit} may be at most ${exceeded.maximum}`
    throw refusal([{ path: '/policy', problem }])
  }
  if (!objectTypeDefinition.Check(body)) throw refusal(shapeProblems(objectTypeDefinitionSchema, body))
  if (body.apiName === apiName) return body
  throw refusal([{ path: '/apiName', problem: `it must be ${apiName}, as in the path` }])
}

const refusal = (problems: readonly ShapeProblem[]): ServiceError =>
  new ServiceError('InvalidDefinition', { problems: [...problems] })

const mostProblems = 20

/** The first problem of each property, and the first of the rest. */
function shapeProblems(schema: unknown, body: unknown): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = []
  let left = body
  while (problems.length < mostProblems) {
    const problem = explainShape(schema, left)
    if (problem === undefined) break
    problems.push(problem)
    const [, property] = /^\/properties\/([^/]+)/.exec(problem.path) ?? []
    if (property === undefined || !isJsonObject(left) || !isJsonObject(left['properties'])) break
    const { [property]: _explained, ...others } = left['properties']
    left = { ...left, properties: others }
  }
  return problems.length > 0
    ? problems
    : [{ path: '', problem: 'it does not have the shape of a definition' }]
}
