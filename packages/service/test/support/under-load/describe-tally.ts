import type { LoadTally } from './run-load.ts'

export const describeTally = (seed: number, tally: LoadTally): string =>
  `seed ${seed}: ${tally.walks} complete walks (${tally.oneByOne} with one object a page), ${tally.gone} gone, ` +
  `${tally.latestWalks} latest walks, ${tally.pages} pages, ${tally.objects} objects, ${tally.commits} commits of ` +
  `${tally.changes} changes, pruned ${tally.prunedRows} rows and ${tally.prunedCommits} commits, ` +
  `${tally.differences.length} differences${kinds(tally)}`

function kinds({ differences }: LoadTally): string {
  const counts = Object.entries(Object.groupBy(differences, (difference) => difference.kind))
  return counts.length === 0
    ? ''
    : ` (${counts.map(([kind, some]) => `${some.length} in ${kind}`).join(', ')})`
}
