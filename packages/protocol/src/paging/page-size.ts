import { Type } from 'typebox'

import { limits } from '../base/limits.ts'

export interface PageSizes {
  readonly default: number
  readonly maximum: number
}

/** The service reduces a size above the maximum (P20), so the schema states no maximum. */
export const pageSizeSchema = Type.Integer({ minimum: 1 })

export const pageSizes = {
  listObjects: { default: limits.page.listDefault, maximum: limits.page.listMaximum },
  listOntologies: { default: limits.page.listDefault, maximum: limits.page.listMaximum },
  listObjectTypes: { default: limits.page.objectTypesDefault, maximum: limits.page.objectTypesMaximum },
  search: { default: limits.page.searchDefault, maximum: limits.page.searchMaximum },
  manage: { default: limits.page.manageDefault, maximum: limits.page.manageMaximum },
} as const satisfies Record<string, PageSizes>
