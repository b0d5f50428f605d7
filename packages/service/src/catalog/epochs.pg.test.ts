import { expect, it } from 'vitest'
import { compileEpochAfter } from './epochs.ts'
import { withStore } from '../../test/support/with-store.ts'

const { store } = withStore()

const epochAfter = async ({ epochs = 0, rows = 0, live = 10, ended = 0 }) => {
  const [row] = await store.database.rows({
    text: `select ${compileEpochAfter('n.ended')} - k.floor_epoch as epochs
from (select $1::bigint + 5 as epoch, $2::bigint as epoch_rows, 5::bigint as floor_epoch, $3::bigint as live) k, (select $4::bigint as ended) n`,
    values: [epochs, rows, live, ended].map(String),
  })
  return Number(row?.['epochs'])
}

it.each([
  { rows: 0, ended: 999, live: 10, closes: false },
  { rows: 0, ended: 1_000, live: 10, closes: true },
  { rows: 600, ended: 400, live: 10, closes: true },
  { rows: 0, ended: 12_499, live: 100_000, closes: false },
  { rows: 0, ended: 12_500, live: 100_000, closes: true },
])(
  'an epoch closes with a thousand rows, or with an eighth of the objects if that is more: $rows and $ended of $live',
  async ({ closes, ...commit }) => {
    expect(await epochAfter({ epochs: 7, ...commit })).toBe(closes ? 8 : 7)
  },
)

it('there are never many more than 512 epochs, however fast objects change', async () => {
  // Of a thousand objects, each changes a thousand times, a hundred in each commit.
  const [row] = await store.database.rows({
    text: `with recursive clock(commits, epoch, epoch_rows) as (
  select 0, 1::bigint, 0::bigint
  union all
  select k.commits + 1, after.epoch, case when after.epoch > k.epoch then 0 else k.epoch_rows + 100 end
  from (select *, 1::bigint as floor_epoch, 1000::bigint as live from clock) k
  cross join lateral (select ${compileEpochAfter('100')} as epoch) after
  where k.commits < 10000
) select max(epoch) as epochs from clock`,
    values: [],
  })
  expect(Number(row?.['epochs'])).toBeGreaterThan(256)
  expect(Number(row?.['epochs'])).toBeLessThan(600)
})
