// What a page of a search reads, for every operator, at every share of matches, at the start and deep in the walk.
import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, type Proof } from '../harness/prove.ts'
import { costDefinition, matchesOf, measured, shares } from './cost-sample.ts'
import { costsPage, type CostRow } from './costs-page.ts'
import { loadCostSample } from './load-cost-sample.ts'
import { measurePages, type PageCost } from '../harness/measure-page.ts'
import { withStore } from '../harness/with-store.ts'

const pageSize = 100
const mostBuffersForEachRow = 20

export async function proveCosts(proof: Proof): Promise<void> {
  const objects = proof.short ? 20_000 : 2_000_000
  await withStore(
    { settings: { shared_buffers: '2GB', max_wal_size: '8GB', maintenance_work_mem: '512MB' } },
    async ({ store, ontology }) => {
      const type = await store.applyObjectType(ontology, costDefinition)
      await loadCostSample(store, type, { objects, say: proof.say })
      const sizes = matchesOf(objects)
      const rows: CostRow[] = []
      await proof.point(
        `Pages of ${pageSize} of ${objects.toLocaleString('en')} objects: no operator causes a sequential scan`,
        async () => {
          for (const { operator, isRange, query } of measured) {
            for (const share of shares) {
              const matches = sizes[share]
              const [first, deep] = await measurePages(store, type, {
                query: query(share, objects),
                depth: Math.min(100_000, matches / 2),
                pageSize,
              })
              rows.push({ operator, isRange, matches, first, deep })
              proof.say(
                `${operator}, ${matches.toLocaleString('en')} matches: first ${describe(first)}; deep ${describe(deep)}`,
              )
            }
          }
          const scanned = rows.filter(({ first, deep }) =>
            [first, deep].some((cost) => cost.sequentialScans.length > 0),
          )
          expect(
            scanned.length === 0,
            `sequential scans by ${scanned.map(({ operator }) => operator).join(', ')}`,
          )
          return `${rows.length * 2} pages measured`
        },
      )
      await proof.point(
        `A page from a btree reads at most ${mostBuffersForEachRow} buffers for each of its rows`,
        async () => {
          const ratios = rows
            .filter(({ isRange }) => isRange)
            .flatMap((row) =>
              [row.first, row.deep].map((cost) => ({ ...row, ratio: cost.buffers / Math.max(1, cost.rows) })),
            )
          const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0]
          expect(worst !== undefined, 'nothing was measured')
          expect(
            worst.ratio <= mostBuffersForEachRow,
            `${worst.operator} with ${worst.matches} matches reads ${worst.ratio.toFixed(1)} buffers for each row`,
          )
          return `at most ${worst.ratio.toFixed(1)} (${worst.operator}, ${worst.matches.toLocaleString('en')} matches)`
        },
      )
      if (!proof.short) {
        const page = fileURLToPath(new URL('../../docs/reference/search-costs.md', import.meta.url))
        const text = costsPage({ rows, objects, pageSize, cores: availableParallelism(), date: new Date() })
        const config = await resolveConfig(import.meta.filename)
        writeFileSync(page, await format(text, { ...config, filepath: page }))
        proof.say('docs/reference/search-costs.md is written')
      }
    },
  )
}

const describe = (cost: PageCost) =>
  `${cost.rows} rows at ${cost.depth}, ${cost.way}, ${cost.buffers} buffers, ${cost.milliseconds.toFixed(1)} ms, ${cost.statements} statements`
