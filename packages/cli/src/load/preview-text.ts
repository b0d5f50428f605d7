import { amountText, countText } from '../output/numbers.ts'

export interface Preview {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly deleted: number
  readonly rejected?: number
}

/** For example `Replacing airport would leave 12 new, 3 changed, 1,985 unchanged and 0 deleted objects. Nothing was changed.` */
export function previewText(doing: string, objectType: string, preview: Preview): string {
  const { created, changed, unchanged, deleted, rejected } = preview
  const counts = `${countText(created)} new, ${countText(changed)} changed, ${countText(unchanged)} unchanged, ${countText(deleted)} deleted`
  const refused = rejected === undefined ? '' : `; ${amountText(rejected, 'record')} rejected`
  return `${doing} ${objectType} would mean: ${counts}${refused}. Nothing was changed.`
}
