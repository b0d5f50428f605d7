import { expect, it } from 'vitest'
import { compileEpochAfter, epochAfter } from './epochs.ts'
import { withStore } from '../../test/support/with-store.ts'

const { store } = withStore()

const some = { epoch: 7n, epochRows: 0n, floorEpoch: 0n }

it('an epoch closes with a thousand rows, or with an eighth of the objects if that is more', () => {
  expect(epochAfter(some, { ended: 999n, live: 10n })).toEqual({ epoch: 7n, epochRows: 999n })
  expect(epochAfter(some, { ended: 1_000n, live: 10n })).toEqual({ epoch: 8n, epochRows: 0n })
  expect(epochAfter({ ...some, epochRows: 600n }, { ended: 400n, live: 10n }).epoch).toBe(8n)
  expect(epochAfter(some, { ended: 12_499n, live: 100_000n }).epoch).toBe(7n)
  expect(epochAfter(some, { ended: 12_500n, live: 100_000n }).epoch).toBe(8n)
})

it('there are never many more than 512 epochs, however fast objects change', () => {
  let clock = { epoch: 1n, epochRows: 0n, floorEpoch: 0n }
  // A thousand objects, each of which changes a thousand times.
  for (let commit = 0; commit < 10_000; commit += 1) {
    clock = { ...clock, ...epochAfter(clock, { ended: 100n, live: 1_000n }) }
  }
  expect(clock.epoch).toBeGreaterThan(256n)
  expect(clock.epoch).toBeLessThan(600n)
})

it('PostgreSQL and this process agree', async () => {
  const cases = [0n, 1n, 200n, 255n, 256n, 320n, 383n, 384n, 1_000n, 100_000n].flatMap((epochs) =>
    [0n, 7n, 8_000n, 8_008n, 1_000_000n].flatMap((live) =>
      [0n, 999n, 1_000n, 1_001n, 1_999n, 2_000n, 125_000n, 1_000_000_000n].map((ended) => ({
        epochs,
        live,
        ended,
      })),
    ),
  )
  for (const { epochs, live, ended } of cases) {
    const clock = { epoch: epochs + 5n, epochRows: 1n, floorEpoch: 5n }
    const [row] = await store.database.rows({
      text: `select ${compileEpochAfter('n.ended')} from (select $1::bigint as epoch, 1::bigint as epoch_rows, 5::bigint as floor_epoch, $2::bigint as live) k, (select $3::bigint as ended) n`,
      values: [String(clock.epoch), String(live), String(ended)],
    })
    const { epoch, epochRows } = epochAfter(clock, { ended, live })
    expect(row, `${epochs} ${live} ${ended}`).toEqual({ epoch: String(epoch), epoch_rows: String(epochRows) })
  }
})
