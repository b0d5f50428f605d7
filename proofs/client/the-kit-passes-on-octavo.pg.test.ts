import { reportForPeople } from '@octavo/conformance'
import { freshDatabase } from '@octavo/dev-database/vitest'
import { expect, it } from 'vitest'
import { withOctavoForTheKit } from './octavo-for-the-kit.ts'

/** The clauses that eighty small objects cannot show; the-kit-passes-on-every-type.long.pg.test.ts has types that can. */
const needMore = new Set(['P8', 'P23', 'P69', 'P70', 'P71', 'P82'])

/** Needs page tokens that live shortly, as the last test has them. */
const waits = 'the tokens of a partition and of the pages that follow are good when page tokens have expired'

it.for(['1.0', '2.0'] as const)(
  'P8: the kit finds nothing wrong with the pages of large objects in revision %s, nor where most of them is left out',
  async (revision) => {
    const database = await freshDatabase()
    try {
      const report = await withOctavoForTheKit(database.url, async (octavo) =>
        octavo.check(await octavo.addLargeObjects(), revision, ['P8']),
      )
      expect(
        report.results.map(({ outcome }) => outcome.kind),
        reportForPeople(report),
      ).toEqual(['passed', 'passed'])
    } finally {
      await database.drop()
    }
  },
)

it.for(['1.0', '2.0'] as const)(
  'the conformance kit finds nothing wrong with the service in revision %s, while it writes',
  async (revision) => {
    const database = await freshDatabase()
    try {
      const report = await withOctavoForTheKit(database.url, ({ check }) => check('employee', revision))
      const failed = report.results.filter(({ outcome }) => outcome.kind === 'failed')
      expect(failed, reportForPeople({ ...report, results: failed })).toEqual([])
      const skipped = report.results.filter(({ outcome }) => outcome.kind === 'skipped')
      expect(skipped.filter(({ clause, title }) => !needMore.has(clause) && title !== waits)).toEqual([])
      expect(report.results.length).toBeGreaterThan(70)
    } finally {
      await database.drop()
    }
  },
)

it('P256: the kit sees that the tokens of partitions outlive page tokens', async () => {
  const database = await freshDatabase()
  try {
    const report = await withOctavoForTheKit(database.url, (octavo) => octavo.checkPartsOutlive('employee'))
    expect(
      report.results.map(({ outcome }) => outcome.kind),
      reportForPeople(report),
    ).toEqual(['passed', 'passed', 'passed'])
    expect(report.results.some(({ title }) => title === waits)).toBe(true)
  } finally {
    await database.drop()
  }
})

it('the conformance kit finds nothing wrong with revision v2, for every type of key', async () => {
  const database = await freshDatabase()
  try {
    const reports = await withOctavoForTheKit(database.url, async (octavo) => {
      const types = ['employee', ...(await octavo.addKeyedTypes())]
      return Promise.all(types.map((type) => octavo.check(type, 'v2')))
    })
    for (const report of reports) {
      const passed = report.results.filter(({ outcome }) => outcome.kind === 'passed')
      expect(passed.length, reportForPeople(report)).toBe(report.results.length)
      expect(passed.length).toBeGreaterThan(10)
    }
  } finally {
    await database.drop()
  }
})
