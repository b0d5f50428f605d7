// The words, names and limits of the protocol. Unlike the schemas they load no library, so that a command starts quickly.
export {
  headers,
  answerCodings,
  contentCodings,
  corsAllowedHeaders,
  corsExposedHeaders,
  mediaTypes,
  type AnswerCoding,
  type ContentCoding,
} from './base/headers.ts'
export { limits } from './base/limits.ts'
export { scopes, rightOfScope, type Right, type ScopeName } from './base/scopes.ts'
export { nameHelp, nearestName, nearestNames, suggestion } from './errors/nearest-name.ts'
export { apiNamePattern, componentNamePattern, apiFamilyPattern } from './values/name-patterns.ts'
export {
  scalarTypes,
  primaryKeyTypes,
  baseTypeName,
  type ScalarType,
  type PrimaryKeyType,
} from './values/type-names.ts'
export { grantRoles, type GrantRole } from './manage/grant-roles.ts'
export {
  conditionOf,
  isCondition,
  operatorsOn,
  operatorsTaking,
  queryOperator,
  queryOperatorNames,
  queryOperators,
  type Condition,
  type OperandKind,
  type OperatorOf,
  type QueryOperator,
  type QueryOperators,
} from './query/operators.ts'
