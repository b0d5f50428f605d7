// The position of a source that the answer has to contain.
import { afterFieldsSchema, limits } from '@octavo/protocol'
import { ServiceError } from '../../base/errors/service-error.ts'
import { isJsonObject } from '../../base/value/json-object.ts'
import { shapeChecker } from './check-shape.ts'
import { oneValue, type QueryParameters } from './query-parameters.ts'

export interface AskedPosition {
  readonly source: string
  readonly generation: number | undefined
  readonly position: string
  readonly waitSeconds: number
}

const names = ['afterSource', 'afterPosition', 'afterGeneration', 'waitSeconds'] as const
type Name = (typeof names)[number]
const checkShape = shapeChecker(afterFieldsSchema)

/** Names of states that are fixed already. */
const namedStates = ['snapshotToken', 'toSnapshotToken', 'at', 'version'] as const

/** Of a body; undefined if it does not ask for a position. */
export function positionInBody(body: unknown): AskedPosition | undefined {
  if (
    !isJsonObject(body) ||
    (body['afterSource'] ?? body['afterPosition'] ?? body['afterGeneration']) == null
  )
    return undefined
  const named = namedStates.find((name) => body[name] != null)
  if (named !== undefined)
    throw unfit('afterSource', `it must be left out: ${named} names a state, which is read as it was`)
  const asked = checkShape(Object.fromEntries(names.map((name) => [name, body[name] ?? null])))
  return positionOf(asked, unfit)
}

const unfit = (name: Name, problem: string): ServiceError =>
  new ServiceError('Conjure:UnprocessableEntity', { path: `/${name}`, problem })

/** Of a query string. */
export function positionInQuery(parameters: QueryParameters): AskedPosition | undefined {
  const given = names.filter((name) => parameters[name] !== undefined)
  if (given.length === 0) return undefined
  const invalid = (name: Name, expected: string): ServiceError =>
    new ServiceError('InvalidParameterValue', {
      parameterId: name,
      parameterValue: oneValue(parameters, name) ?? '',
      expected: expected.replace(/^it must /, '').replace(/^be left out/, 'no value: leave it out'),
    })
  if (parameters['snapshotToken'] !== undefined)
    throw invalid('afterSource', 'no value: snapshotToken names a state, which is read as it was')
  const number = (name: 'afterGeneration' | 'waitSeconds', [least, most]: readonly [number, number]) => {
    const text = oneValue(parameters, name)
    if (text === undefined) return undefined
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    throw invalid(name, `a whole number from ${least} to ${most}`)
  }
  const asked = {
    afterSource: oneValue(parameters, 'afterSource'),
    afterPosition: oneValue(parameters, 'afterPosition'),
    afterGeneration: number('afterGeneration', [1, Number.MAX_SAFE_INTEGER]),
    waitSeconds: number('waitSeconds', [0, limits.changes.waitSeconds]),
  }
  return positionOf(asked, invalid)
}

function positionOf(
  asked: {
    readonly [Each in Name]?:
      (Each extends `${string}Source` | `${string}Position` ? string : number) | null | undefined
  },
  refuse: (name: Name, problem: string) => ServiceError,
): AskedPosition {
  const { afterSource, afterPosition, afterGeneration, waitSeconds } = asked
  if (afterSource == null) throw refuse('afterSource', 'it must name the source that the position is of')
  if (afterPosition == null || afterPosition === '')
    throw refuse('afterPosition', 'it must be a position of the source')
  return {
    source: afterSource,
    position: afterPosition,
    generation: afterGeneration ?? undefined,
    waitSeconds: waitSeconds ?? 0,
  }
}
