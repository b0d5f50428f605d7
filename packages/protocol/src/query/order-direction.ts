import { Type } from 'typebox'

export const orderDirectionSchema = Type.Enum(['asc', 'desc'])
export type OrderDirection = 'asc' | 'desc'
