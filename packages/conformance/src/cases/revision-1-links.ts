// The objects that one object is linked to. Revision 1.0 does not show links, so the kit learns their names from a refusal.
import type { Case } from './case.ts'
import { demand, skip } from '../clauses/clause-failure.ts'
import { demandRefusal } from './refusal.ts'
import { spreadObjects } from '../subject/chosen-objects.ts'
import { unusedKey } from '../subject/keys-after-all.ts'
import { sizesOf } from '../subject/read-page.ts'
import { readWalk } from '../subject/read-walk.ts'
import { askForPage, keyOf, type Subject } from '../subject/subject.ts'
import { isObject } from '../subject/wire-page.ts'

const noSuchLink = 'octavoConformanceNone'

const through = (subject: Subject, link: string, from: unknown): Subject => ({
  ...subject,
  collection: { ...subject.collection, through: { link, from: String(from) } },
})

async function linkNames(subject: Subject): Promise<readonly string[]> {
  const [object] = subject.sample
  if (object === undefined) return skip('the type has become empty')
  const exchange = await askForPage(through(subject, noSuchLink, keyOf(subject, object)))
  const { body } = exchange
  if (!isObject(body) || body['errorName'] !== 'LinkTypeNotFound') return skip('needs a type with links')
  const { parameters } = demandRefusal(exchange, {
    clause: 'P321',
    name: 'LinkTypeNotFound',
    because: 'there is no such link',
  })
  const known = Array.isArray(parameters['known']) ? parameters['known'].map(String) : []
  return known.length === 0 ? skip('needs a type with links, which the refusal of another name tells') : known
}

export const revision1LinkCases: readonly Case[] = [
  {
    clause: 'P326',
    title: 'the objects that an object is linked to are listed page by page, each once',
    revision: '1.0',
    run: async (subject) => {
      for (const link of await linkNames(subject)) {
        for (const object of spreadObjects(subject, 6)) {
          const from = through(subject, link, keyOf(subject, object))
          const whole = await readWalk(from, { clause: 'P326', pageSizes: [sizesOf('1.0').maximum] })
          const small = await readWalk(from, {
            clause: 'P326',
            pageSizes: [Math.max(1, Math.floor(whole.records.length / 3))],
          })
          const rids = small.records.map(({ rid }) => rid)
          const isSame = JSON.stringify(rids) === JSON.stringify(whole.records.map(({ rid }) => rid))
          demand(isSame && new Set(rids).size === rids.length, {
            clause: 'P326',
            expected: `the same ${whole.records.length} objects whatever the page size, each once`,
            found: `${rids.length} objects, ${new Set(rids).size} of them different`,
            exchange: small.last,
          })
        }
      }
    },
  },
  {
    clause: 'P326',
    title: 'the links of an object that is not there are refused',
    revision: '1.0',
    run: async (subject) => {
      const [link = ''] = await linkNames(subject)
      demandRefusal(await askForPage(through(subject, link, await unusedKey(subject))), {
        clause: 'P326',
        name: 'ObjectNotFound',
        because: 'no object has this primary key',
      })
    },
  },
]
