import { Type } from 'typebox'

import { limits } from '../limits.ts'

export const displayNameSchema = Type.String({ minLength: 1, maxLength: limits.definition.nameCharacters })
export const descriptionSchema = Type.String({ maxLength: limits.definition.textCharacters })

export const objectTypeStatusSchema = Type.Enum(['ACTIVE', 'EXPERIMENTAL', 'DEPRECATED'])

export const objectTypeVisibilitySchema = Type.Enum(['NORMAL', 'PROMINENT', 'HIDDEN'])
