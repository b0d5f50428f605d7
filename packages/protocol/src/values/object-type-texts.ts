import { Type } from 'typebox'

import { limits } from '../base/limits.ts'
import { plainTextPattern } from './plain-text.ts'

export const displayNameSchema = Type.String({
  minLength: 1,
  maxLength: limits.definition.nameCharacters,
  pattern: plainTextPattern,
})
export const descriptionSchema = Type.String({
  maxLength: limits.definition.textCharacters,
  pattern: plainTextPattern,
})

export const objectTypeStatusSchema = Type.Enum(['ACTIVE', 'EXPERIMENTAL', 'DEPRECATED'])

export const objectTypeVisibilitySchema = Type.Enum(['NORMAL', 'PROMINENT', 'HIDDEN'])
