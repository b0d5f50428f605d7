import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { apiFamilyPattern, apiNamePattern, componentNamePattern } from './name-patterns.ts'

export const apiNameSchema = Type.String({
  pattern: apiNamePattern,
  maxLength: limits.definition.nameCharacters,
})

export const componentNameSchema = Type.String({
  pattern: componentNamePattern,
  maxLength: limits.definition.nameCharacters,
})

export const apiFamilySchema = Type.String({
  pattern: apiFamilyPattern,
  maxLength: limits.definition.familyCharacters,
})
