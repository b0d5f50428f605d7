// A table with very many rows, from end to end as somebody scrolls it, and then anywhere.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { loadSample } from '../harness/load-sample.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { someRow } from '../../tools/browser/open-chromium.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

const mostGrowth = 1.3
const mostTaskMs = 100
const places = 100
/** A record of more would not fit into memory. */
const tracedRows = 20_000

interface Scrolled {
  readonly heapFirst: number
  readonly heapLast: number
  readonly longestTaskMs: number
  readonly seconds: number
}

export async function proveManyRows(proof: Proof, served: ServedExplorer): Promise<void> {
  const rows = Number(proof.given['rows'] ?? (proof.short ? 20_000 : 1_000_000))
  const runs = proof.short ? 1 : 3
  const text = rows.toLocaleString('en-GB')
  const type = await served.service.store.applyObjectType(served.ontology, sampleDefinition)
  await loadSample(served.service.store, type, { objects: rows, say: proof.say })
  await proof.point(
    `${text} rows scrolled from end to end: memory within ${mostGrowth}, no task of more than ${mostTaskMs} ms in the median of ${runs}, rows right at ${places} places`,
    async () => {
      const seen: Scrolled[] = []
      let right = 0
      for (let run = 0; run < runs; run += 1) {
        const { page, problems, close } = await served.open('/?type=employee')
        await page.waitForSelector(someRow)
        await page.waitForSelector(`.status:has-text("${text} objects")`)
        const scrolled = await scrollThrough(served.browser, page, rows)
        seen.push(scrolled)
        proof.say(describe(scrolled))
        if (run === 0) right = await lookAnywhere(page, rows)
        expect(problems.length === 0, problems.join('; '))
        await close()
      }
      const growth = Math.max(...seen.map(({ heapFirst, heapLast }) => heapLast / heapFirst))
      expect(growth <= mostGrowth, `memory grew by ${growth.toFixed(2)}`)
      const longest = seen.map(({ longestTaskMs }) => longestTaskMs).toSorted((a, b) => a - b)[runs >> 1] ?? 0
      expect(longest <= mostTaskMs, `the longest task of the median run took ${Math.round(longest)} ms`)
      return `memory ${growth.toFixed(2)}, longest task ${Math.round(longest)} ms, ${right} rows at ${places} places right`
    },
  )
}

const describe = ({ heapFirst, heapLast, longestTaskMs, seconds }: Scrolled): string =>
  `heap ${megabytes(heapFirst)} after 1,000 rows, ${megabytes(heapLast)} at the end; longest task ${Math.round(longestTaskMs)} ms; ${Math.round(seconds)} s`

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

/** A frame moves 80 rows on, and waits for what it shows: nobody is served faster than they can see. */
const scrollTo = (row: number) => `(async () => {
  const grid = document.querySelector('.grid')
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const lastShown = () => Math.max(...[...document.querySelectorAll('.grid-row:not(.head)')].map((each) => Number(each.getAttribute('aria-rowindex')) - 2))
  const deadline = performance.now() + 3_600_000
  for (let before = -1; lastShown() < ${row} && performance.now() < deadline; ) {
    const now = lastShown()
    if (now === before && grid.scrollTop >= grid.scrollHeight - grid.clientHeight - 1) break
    before = now
    grid.scrollTop += 2_000
    await frame()
    for (let i = 0; i < 600 && document.querySelector('.grid-row.waiting') !== null; i += 1) await frame()
  }
  return lastShown()
})()`

async function scrollThrough(browser: Browser, page: Page, rows: number): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page)
  await page.evaluate(scrollTo(1_000))
  const heapFirst = await heapOf(session)
  const startedAt = performance.now()
  await browser.startTracing(page, { categories: ['toplevel'] })
  await page.evaluate(scrollTo(Math.min(rows - 1, tracedRows)))
  const longestTaskMs = longestTaskIn(await browser.stopTracing())
  const last = Number(await page.evaluate(scrollTo(rows - 1)))
  const seconds = (performance.now() - startedAt) / 1_000
  expect(last === rows - 1, `the last row in sight is ${last}`)
  return { heapFirst, heapLast: await heapOf(session), longestTaskMs, seconds }
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds for which the thread was running, not waiting for a processor. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** The work of the longest task of a page, whatever else the machine was doing. */
function longestTaskIn(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid}:${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter((event) => event.tdur !== undefined && pages.has(threadOf(event)))
  expect(tasks.length > 100, `only ${tasks.length} tasks were recorded`)
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0)
}

/** As somebody drags the bar: any place, and what stands there must be what belongs there. */
async function lookAnywhere(page: Page, rows: number): Promise<number> {
  let right = 0
  for (let i = 0; i < places; i += 1) {
    const share = (i * 0.618_033_988_7) % 1
    await page.evaluate(
      `(() => { const grid = document.querySelector('.grid'); grid.scrollTop = ${share} * (grid.scrollHeight - grid.clientHeight) })()`,
    )
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    await page.waitForSelector('.grid-row.waiting', { state: 'detached' })
    const shown = (await page.evaluate(`[...document.querySelectorAll('.grid-row:not(.head)')].map((row) =>
      [Number(row.getAttribute('aria-rowindex')) - 2, row.querySelector('[data-cell$=":0"]').textContent, row.querySelector('[data-cell$=":1"]').textContent])`)) as readonly (readonly [
      number,
      string,
      string,
    ])[]
    expect(
      shown.some(([index]) => Math.abs(index / rows - share) < 0.01),
      `at ${share} the rows are ${shown[0]?.[0]} and on`,
    )
    for (const [index, key, name] of shown) {
      const { employeeId, fullName } = sampleEmployee(index)
      expect(key === employeeId && name === fullName, `row ${index} is ${key}, ${name}`)
      right += 1
    }
  }
  return right
}
