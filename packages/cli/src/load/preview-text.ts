import { amountText, countText } from '../output/numbers.ts'

export interface Preview {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly deleted: number
  readonly rejected?: number
}

/** For example `Replacing airport would mean: 12 created, 3 updated, 0 deleted, 1,985 unchanged. Nothing was changed.` */
export function previewText(doing: string, objectType: string, preview: Preview): string {
  const { created, updated, unchanged, deleted, rejected } = preview
  const counts = `${countText(created)} created, ${countText(updated)} updated, ${countText(deleted)} deleted, ${countText(unchanged)} unchanged`
  const refused = rejected === undefined ? '' : `; ${amountText(rejected, 'record')} rejected`
  return `${doing} ${objectType} would mean: ${counts}${refused}. Nothing was changed.`
}
