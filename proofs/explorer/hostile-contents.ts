// Contents that attack the page that displays them.
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { someRow } from '../../tools/browser/open-chromium.ts'
import { expect, type Proof } from '../harness/prove.ts'
import type { ServedExplorer } from './served-explorer.ts'

const columns = 500
const texts: Readonly<Record<string, string>> = {
  markup: '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>',
  link: 'javascript:window.harmed=1',
  bidi: '\u202egnp.exe\u202c and \u2066isolated',
  zeroWidth: 'in\u200bvis\u200dible\u2060\ufeff',
  lines: 'one\ntwo\r\n\tthree',
  combining: `Z${'\u0301'.repeat(500)}`,
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈',
  long: 'm'.repeat(1_000_000),
  proto: '__proto__',
}

export async function proveHostileContents(proof: Proof, served: ServedExplorer): Promise<void> {
  const { service, ontology } = served
  await proof.point(
    `Markup, bidi, zero width, 1 MB strings and ${columns} columns are text, and the layout holds`,
    async () => {
      const type = await service.store.applyObjectType(ontology, {
        apiName: 'hostile',
        displayName: '<b>Hostile</b>',
        description: texts['markup'] ?? '',
        primaryKey: 'id',
        titleProperty: 'text',
        properties: {
          id: { type: 'string' },
          text: { type: 'string' },
          ['constructor']: { type: 'string' } as const,
          ...Object.fromEntries(
            Array.from({ length: columns - 3 }, (_, i) => [`column${i}`, { type: 'integer' } as const]),
          ),
        },
      })
      const changes = Object.entries(texts).map(([id, text]) =>
        putObject(type, {
          id: id === 'proto' ? '__proto__' : id,
          text,
          constructor: text.slice(0, 100),
          column7: 7,
        }),
      )
      await service.store.commit({ parts: [{ type, changes }] })
      const { page, problems, close } = await served.open('/?type=hostile')
      await page.waitForSelector(someRow)
      const state = async () => ({
        harmed: await page.evaluate('window.harmed'),
        heights: await page.evaluate(
          `[...new Set([...document.querySelectorAll('.grid-row:not(.head)')].map((row) => row.getBoundingClientRect().height))]`,
        ),
        excess: await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        cells: Number(await page.evaluate(`document.querySelectorAll('.cell').length`)),
      })
      const wide = await state()
      expect(wide.harmed === undefined, 'a script of the contents ran')
      expect(JSON.stringify(wide.heights) === '[30]', `rows have the heights ${JSON.stringify(wide.heights)}`)
      expect(Number(wide.excess) <= 0, `the page is ${String(wide.excess)} pixels too wide`)
      expect(wide.cells < 400, `${wide.cells} cells are laid out`)
      const shown = (await page.textContent('.grid')) ?? ''
      expect(shown.includes('<img src=x onerror='), 'the markup is not shown as text')
      expect(shown.includes('⟨202E⟩') && shown.includes('⟨200B⟩'), 'what hides itself is not shown')
      expect(shown.length < 20_000, `${shown.length} characters are laid out`)
      await page.focus('[data-cell="0:0"]')
      await page.keyboard.press('End')
      await page.waitForSelector(`[data-cell="0:${columns - 1}"]:focus`)
      for (const id of ['markup', 'long', '__proto__']) {
        await page.goto(`${service.url}/?type=hostile&object=${id}`)
        await page.waitForSelector('.properties')
        expect((await page.evaluate('window.harmed')) === undefined, 'a script of the contents ran')
        expect(
          Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0,
          `${id} is too wide`,
        )
      }
      await page.goto(`${service.url}/?type=hostile&show=facts`)
      await page.waitForSelector('.facts')
      expect(problems.length === 0, problems.join('; '))
      await close()
      return `${Object.keys(texts).length} objects with ${columns} columns, ${wide.cells} cells laid out, nothing ran`
    },
  )
}
