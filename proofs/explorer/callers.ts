// A caller finds nothing that it may not see: neither in a list, nor in a table, a total, a facet or an object.
import { revokeAccessToken } from '../../packages/service/test/inside.ts'
import { itemDefinition, items, putItems } from '../../packages/service/test/support/load-items.ts'
import { grantTo, newTokenOf } from '../../packages/service/test/support/test-access.ts'
import { someRow } from '../../tools/browser/open-chromium.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

interface Caller {
  readonly name: string
  readonly token: string | undefined
  /** How the page ends. */
  readonly sees: 'sign-in' | 'refusal' | 'nothing' | 'types'
  readonly types: readonly string[]
  /** How many objects of the type `guarded`. */
  readonly guarded?: number
  /** How many parts of what a type holds are not for this caller: sizes, and the audit. */
  readonly denied?: number
}

async function callersOf({ service, ontology, token }: ServedExplorer): Promise<readonly Caller[]> {
  const { store } = service
  const other = await store.applyOntology({
    apiName: 'hidden',
    displayName: 'Hidden ontology',
    apiFamilies: ['hidden'],
  })
  await store.applyObjectType(other, { ...itemDefinition('secretItem'), displayName: 'Secret item' })
  const guarded = await store.applyObjectType(ontology, {
    ...itemDefinition('guarded'),
    displayName: 'Guarded',
    properties: { ...itemDefinition('guarded').properties, owner: { type: 'string', searchable: true } },
    policy: { type: 'eq', field: 'owner', value: { claim: 'sub' } },
  })
  const owners = ['rita', 'otto', 'nobody']
  await putItems(
    store,
    guarded,
    items(90).map((item, i) => ({ ...item, owner: owners[i % 3], label: `of ${owners[i % 3]}` })),
  )
  await grantTo(store, 'rita', ontology.rid, 'reader')
  await grantTo(store, 'otto', ontology.rid, 'writer')
  await grantTo(store, 'both', ontology.rid, 'reader')
  await grantTo(store, 'both', other.rid, 'reader')
  const tokenOf = async (subject: string, scopes?: readonly ['api:ontologies-write']) =>
    (await newTokenOf(store, { subject, ...(scopes && { scopes: [...scopes] }) })).token
  const revoked = await newTokenOf(store, { subject: 'rita' })
  await revokeAccessToken(store.database, revoked.id, new Date())
  const shown = ['Guarded', 'Item']
  return [
    { name: 'nobody', token: undefined, sees: 'sign-in', types: [] },
    { name: 'a wrong token', token: 'oct_wrong', sees: 'sign-in', types: [] },
    { name: 'a revoked token', token: revoked.token, sees: 'sign-in', types: [] },
    { name: 'no grant', token: await tokenOf('stranger'), sees: 'nothing', types: [] },
    {
      name: 'no right to read',
      token: await tokenOf('rita', ['api:ontologies-write']),
      sees: 'refusal',
      types: [],
    },
    { name: 'a reader', token: await tokenOf('rita'), sees: 'types', types: shown, guarded: 30, denied: 2 },
    { name: 'a writer', token: await tokenOf('otto'), sees: 'types', types: shown, guarded: 30, denied: 1 },
    {
      name: 'a reader of two',
      token: await tokenOf('both'),
      sees: 'types',
      types: [...shown, 'Secret item'],
      guarded: 0,
      denied: 2,
    },
    {
      name: 'an owner whom the policy hides all',
      token,
      sees: 'types',
      types: [...shown, 'Secret item'],
      guarded: 0,
      denied: 0,
    },
  ]
}

const waitsFor = {
  'sign-in': '.sign-in',
  refusal: 'main .failure',
  nothing: 'main:has-text("nothing that you may read")',
  types: '.types li',
} as const

export async function proveCallers(proof: Proof, served: ServedExplorer): Promise<void> {
  await proof.point('A caller finds nothing that it may not see, for every kind of caller', async () => {
    const callers = await callersOf(served)
    for (const caller of callers) await expectOnly(served, caller)
    return `${callers.length} kinds of callers, each with lists, tables, totals, objects, their history, facets and what a type holds; nothing hidden was shown`
  })
}

async function expectOnly(
  served: ServedExplorer,
  { name, token, sees, types, guarded, denied }: Caller,
): Promise<void> {
  const { page, problems, close } = await served.open('/?type=guarded', token === undefined ? {} : { token })
  await page.waitForSelector(waitsFor[sees])
  const listed = await page.locator('.types li a > span:first-child').allTextContents()
  const missing = types.filter((type) => !listed.includes(type))
  expect(missing.length === 0, `${name} does not see ${missing.join(', ')}`)
  const text = async (): Promise<string> => (await page.textContent('body')) ?? ''
  if (!types.includes('Secret item')) {
    expect(!/Secret item|Hidden ontology/.test(await text()), `${name} sees what is not granted`)
    await page.goto(`${served.service.url}/?family=hidden&type=secretItem`)
    await page.waitForSelector(waitsFor[sees])
    expect(
      !/Secret item|Hidden ontology/.test(await text()),
      `${name} sees what is not granted, by its address`,
    )
  }
  if (guarded !== undefined) {
    await page.goto(`${served.service.url}/?family=shown&type=guarded`)
    await page.waitForSelector(`.status:has-text("${guarded} objects")`)
    if (guarded > 0) await page.waitForSelector(someRow)
    expect(!(await text()).includes('of nobody'), `${name} sees what the policy hides`)
    await page.goto(`${served.service.url}/?family=shown&type=guarded&object=i000002`)
    await page.waitForSelector('.object:has-text("There is no")')
    await page.click('text=History')
    await page.waitForSelector('.history:has-text("Nothing is kept of an object with this key")')
    expect(!(await text()).includes('of nobody'), `${name} sees an object that the policy hides`)
    await page.goto(`${served.service.url}/?family=shown&type=guarded&facets=owner`)
    await page.waitForSelector(guarded === 0 ? '.facet:has-text("No object matches")' : '.facet li')
    const counted = await page.locator('.facet li .count').allTextContents()
    const expected = guarded === 0 ? '' : String(guarded)
    expect(counted.join() === expected, `${name} is shown the counts ${counted.join(', ')} by owner`)
    expect(!(await text()).includes('nobody'), `${name} is shown a value that the policy hides`)
    await page.goto(`${served.service.url}/?family=shown&type=guarded&show=facts`)
    await page.waitForSelector('.facts .commits')
    if (denied === 0) await page.waitForSelector('[aria-label=Audit]')
    if (denied !== 2) await page.waitForSelector('[aria-label=Indexes]')
    const refused = await page.locator('.facts .denied').count()
    expect(refused === denied, `${name} is refused ${refused} parts of what the type holds, not ${denied}`)
  }
  expect(problems.length === 0, `${name}: ${problems.join('; ')}`)
  await close()
}
