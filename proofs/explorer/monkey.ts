// A monkey that filters, orders, scrolls, reloads, follows links, looks at earlier states and goes back, while types change under it.
import { type Random, seededRandom } from '@octavo/model'
import type { ObjectTypeDefinition } from '@octavo/protocol'
import type { Page } from 'playwright-core'
import { itemDefinition, items, putItems } from '../../packages/service/test/support/load-items.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

const actionsPerRun = 8

/** What the monkey must have done in a long run, beside the rest. */
const visited = ['history', 'earlier', 'now', 'what it holds', 'link', 'facets', 'facet'] as const

export async function proveMonkey(proof: Proof, served: ServedExplorer): Promise<void> {
  const runs = Number(proof.given['runs'] ?? (proof.short ? 5 : 300))
  await proof.point(
    `${runs} runs of a monkey while types change: never blank, never an error, never a row that the service would not give`,
    () => showMonkey(proof, served, runs),
  )
}

async function showMonkey(proof: Proof, served: ServedExplorer, runs: number): Promise<string> {
  const seed = Number(proof.given['seed'] ?? Date.now() % 100_000)
  proof.say(`seed ${seed}`)
  const { service, ontology, token } = served
  const type = await service.store.applyObjectType(ontology, definition(0))
  await putItems(service.store, type, items(3_000))
  const changing = changeTypes(served)
  let rows = 0
  let verified = 0
  const times = new Map<string, number>()
  try {
    for (let run = 0; run < runs; run += 1) {
      const random = seededRandom(seed + run)
      const { page, problems, close } = await served.open('/?type=changing', { token })
      const done: string[] = []
      try {
        for (let i = 0; i < actionsPerRun; i += 1) {
          const action = await act(page, random, service.url)
          done.push(action)
          times.set(action, (times.get(action) ?? 0) + 1)
          await page.waitForTimeout(below(random, 120))
          expect(await isSomething(page), 'the page is blank')
          expect(problems.length === 0, problems.join('; '))
        }
        const same = await compareWithService(page, served)
        rows += same
        if (same > 0) verified += 1
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        throw new Error(`seed ${seed + run}, after ${done.join(', ')}: ${why}`, { cause: error })
      } finally {
        await close()
      }
      if ((run + 1) % 25 === 0) proof.say(`${run + 1} runs`)
    }
  } finally {
    changing.stop()
    await changing.ended
  }
  const undone = visited.filter((action) => !times.has(action))
  expect(runs < 100 || undone.length === 0, `it never did: ${undone.join(', ')}`)
  proof.say(visited.map((action) => `${action} ${times.get(action) ?? 0} times`).join(', '))
  expect(verified > runs / 4, `only ${verified} runs ended with rows that could be compared`)
  return `${runs * actionsPerRun} actions, ${changing.times()} changes of the type, ${rows} rows compared with the service in ${verified} runs, 0 different`
}

/** Properties are added, and what can be searched and ordered changes. */
const definition = (turn: number): ObjectTypeDefinition => {
  const base = itemDefinition('changing')
  return {
    ...base,
    displayName: 'Changing',
    properties: {
      ...base.properties,
      rank: { type: 'integer', sortable: true, searchable: turn % 3 !== 1 },
      label: { type: 'string', sortable: turn % 4 !== 2, searchable: true },
      ...Object.fromEntries(
        Array.from({ length: Math.min(12, turn >> 1) }, (_, i) => [`extra${i}`, { type: 'string' } as const]),
      ),
    },
  }
}

function changeTypes({ service, ontology }: ServedExplorer) {
  let isStopped = false
  let turn = 0
  const work = async (): Promise<void> => {
    for (;;) {
      if (isStopped) return
      turn += 1
      const type = await service.store.applyObjectType(ontology, definition(turn))
      await putItems(
        service.store,
        type,
        items(40).map((item) => ({ ...item, label: `Changed ${turn}` })),
      )
      await new Promise((resolve) => setTimeout(resolve, 400))
    }
  }
  const ended = work()
  // It is awaited at the end; until then nobody would handle a failure.
  ended.catch(() => {})
  return {
    stop: () => {
      isStopped = true
    },
    times: () => turn,
    ended,
  }
}

const below = (random: Random, limit: number): number => random.integer(0, limit - 1)

const queries = [
  '{"type":"gte","field":"rank","value":50}',
  '{"type":"prefix","field":"label","value":"item"}',
  '{"type":"and","value":[{"type":"lt","field":"rank","value":90},{"type":"isNull","field":"label","value":false}]}',
  '{"type":"eq","field":"nothing","value":1}',
  '{"type":"eq","field":"id","value":"absent"}',
] as const

const quick = { timeout: 1_000 } as const

/** An element that is not there just now cannot be clicked, by a person neither. */
async function tryTo(name: string, work: () => Promise<unknown>): Promise<string> {
  const isDone = await work().then(
    () => true,
    () => false,
  )
  return isDone ? name : `${name} (not there)`
}

/** Does one thing, if it can be done at the moment; returns what. */
async function act(page: Page, random: Random, url: string): Promise<string> {
  switch (below(random, 19)) {
    case 0:
      await page.reload()
      return 'reload'
    case 1:
      await page.goBack()
      // Before the first view there is nothing of ours.
      if (page.url() === 'about:blank') await page.goForward()
      return 'back'
    case 2:
      return tryTo('order', () => page.locator('.head .cell').nth(below(random, 5)).click(quick))
    case 3:
    case 4: {
      const query = queries[below(random, queries.length)] ?? ''
      await page.goto(`${url}/?type=changing&query=${encodeURIComponent(query)}`)
      return `query ${query}`
    }
    case 5:
      return tryTo('scroll', () =>
        page.evaluate(`document.querySelector('.grid').scrollTop = ${below(random, 90_000)}`),
      )
    case 6:
      return tryTo('object', () => page.locator('.cell.key').nth(below(random, 5)).click(quick))
    case 7: {
      await page.keyboard.press('/')
      return tryTo('condition', async () => {
        await page.selectOption('[aria-label=Property]', 'label', quick)
        await page.fill('[aria-label=Value]', `Item "${below(random, 3_000)}" ü`, quick)
        await page.keyboard.press('Enter')
      })
    }
    case 8:
      return tryTo('remove', () => page.locator('.pill [aria-label^=Remove]').first().click(quick))
    case 9:
      await page.goto(`${url}/?type=changing&columns=id,extra0,gone,rank&order=rank:desc`)
      return 'columns'
    case 12:
      return tryTo('history', async () => {
        await page.locator('.object .choices >> text=History').click(quick)
        await page.locator('.state button').nth(below(random, 2)).click(quick)
      })
    case 13:
      return tryTo('earlier', async () => {
        if ((await page.locator('.earlier').count()) === 0) await page.locator('text=As it was').click(quick)
        await page.locator('.earlier input[type=range]').focus(quick)
        await page.keyboard.press(['ArrowLeft', 'Home', 'End'][below(random, 3)] ?? 'Home')
      })
    case 14:
      return tryTo('now', () => page.locator('text=Back to now').click(quick))
    case 15:
      await page.goto(`${url}/?type=changing&show=facts`)
      return 'what it holds'
    case 16:
      return tryTo('link', async () => {
        await page.goto(`${url}/?type=changing&object=i00000${below(random, 10)}`)
        await page.locator('.links a').nth(below(random, 2)).click(quick)
      })
    case 17:
      return tryTo('facets', async () => {
        await page.locator('button:text("Facets")').click(quick)
        await page.locator('.facets .choices button').nth(below(random, 3)).click(quick)
      })
    case 18:
      return tryTo('facet', () => page.locator('.facet button.row').nth(below(random, 4)).click(quick))
    case 10:
      return tryTo('tab', () => page.locator('.tabs a').nth(below(random, 3)).click(quick))
    default:
      await page.keyboard.press(below(random, 2) === 0 ? 'PageDown' : 'Control+End')
      return 'keys'
  }
}

async function isSomething(page: Page): Promise<boolean> {
  // A document that is being left cannot be asked any more.
  const text = await page.evaluate(`document.querySelector('main')?.innerText ?? ''`).catch(() => '')
  if (String(text).trim().length > 0) return true
  // Between two documents there is none for a moment.
  await page.waitForSelector('main')
  return String(await page.evaluate(`document.querySelector('main').innerText`)).trim().length > 0
}

/** The rows in sight must be those that the service gives for the same request, in the same state. */
async function compareWithService(page: Page, { service, token }: ServedExplorer): Promise<number> {
  await page.goto(page.url().replace(/[&?](object|show|at|facets)=[^&]*/g, ''))
  const isShown = await page.waitForSelector('.status button', { timeout: 5_000 }).then(
    () => true,
    () => false,
  )
  if (!isShown) {
    expect(/\S/.test((await page.textContent('.failure, .pad')) ?? ''), 'neither rows nor a reason')
    return 0
  }
  await page.click('text=Keep this state')
  await page.waitForURL(/[?&]at=/)
  await page.waitForSelector('text=Back to now')
  await page.waitForTimeout(300)
  const asked = new URL(page.url()).searchParams
  const [field, direction] = (asked.get('order') ?? '').split(':')
  const answer = await service.fetch('/api/shown/v1/objects/types/changing/search', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: JSON.parse(asked.get('query') ?? '{"type":"empty"}') as unknown,
      snapshot: true,
      pageSize: 1_000,
      snapshotToken: asked.get('at'),
      ...(field && { orderBy: { fields: [{ field, direction }] } }),
    }),
  })
  if (answer.status !== 200) return 0
  const { data, nextPageToken } = (await answer.json()) as {
    readonly data: readonly { readonly primaryKey: string }[]
    readonly nextPageToken?: string
  }
  // The service chooses the order of a filtered walk that names none, and may choose another one the next time (P41).
  const isInOrder = Boolean(field) || !asked.has('query')
  const matches = new Set(data.map(({ primaryKey }) => primaryKey))
  const shown =
    (await page.evaluate(`[...document.querySelectorAll('.grid-row:not(.head):not(.waiting)')].map((row) =>
    [Number(row.getAttribute('aria-rowindex')) - 2, row.querySelector('.cell.key bdi')?.textContent])`)) as readonly (readonly [
      number,
      string,
    ])[]
  for (const [index, key] of shown) {
    const expected = data[index]?.primaryKey
    const isRight = isInOrder ? expected === key : matches.has(key) || nextPageToken !== undefined
    expect(isRight, `row ${index} is ${key}, and the service gives ${expected}`)
  }
  return shown.length
}
