import { wrongUse } from '../base/cli-error.ts'

export interface OrderKey {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** Parses `department,startedOn:desc`. */
export function readOrder(texts: readonly string[]): readonly OrderKey[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((text) => {
      const [field = '', direction = 'asc', ...more] = text.trim().split(':')
      if (/^[A-Za-z]\S*$/.test(field) && (direction === 'asc' || direction === 'desc') && more.length === 0)
        return { field, direction }
      throw wrongUse(
        `--order-by must be a property, optionally with :asc or :desc, such as startedOn:desc, not "${text}".`,
      )
    })
}
