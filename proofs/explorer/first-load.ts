import { firstLoadBytes, mostFirstLoadBytes } from '../../tools/browser/first-load.ts'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { someRow } from '../../tools/browser/open-chromium.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

export async function proveFirstLoad(proof: Proof, served: ServedExplorer): Promise<void> {
  await loadItems(served.service.store, served.ontology, 500, 'item')
  await proof.point(`The first load is at most ${mostFirstLoadBytes / 1_000} kB of gzip`, async () => {
    const bytes = firstLoadBytes()
    expect(bytes <= mostFirstLoadBytes, `it is ${bytes} bytes`)
    return `${(bytes / 1_000).toFixed(1)} kB`
  })
  await proof.point('It asks no other host, and breaks no rule of its content security policy', async () => {
    const { page, problems, otherOrigins, close } = await served.open('/?type=item')
    await page.waitForSelector(someRow)
    for (const view of ['walk', 'facts']) {
      await page.goto(`${served.service.url}/?type=item&show=${view}`)
      await page.waitForSelector(`.${view}`)
    }
    await page.goto(`${served.service.url}/?type=item`)
    await page.click('text=Export')
    const download = page.waitForEvent('download')
    await page.click('.export >> text=NDJSON')
    await (await download).path()
    await page.waitForSelector('.export .good code')
    expect(otherOrigins.size === 0, `it asked ${[...otherOrigins].join(', ')}`)
    expect(problems.length === 0, problems.join('; '))
    const policy = (
      await page.request.get(served.service.url, { headers: { accept: 'text/html' } })
    ).headers()['content-security-policy']
    expect(policy?.includes("script-src 'self';"), `the policy is ${policy}`)
    await close()
    return 'three views and an export with a verified checksum, 0 other hosts, 0 violations'
  })
}
