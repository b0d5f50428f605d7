// The object sets and conditions of revision v2.
import { skip } from '../clauses/clause-failure.ts'
import {
  baseSet,
  demandKeys,
  loadPage,
  loadRequest,
  loadWalk,
  setOfKeys,
  spreadKeys,
} from '../subject/v2-page.ts'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'

const revision = 'v2'

export const revisionV2SetCases: readonly Case[] = [
  {
    clause: 'P331',
    title: 'sets are combined, and objects are found by their rids',
    revision,
    run: async (subject) => {
      const keys = spreadKeys(subject, 9)
      const [some, others] = [keys.slice(0, 6), keys.slice(4)]
      const objectSets = [setOfKeys(subject, some), setOfKeys(subject, others)]
      for (const [type, expected] of [
        ['union', keys],
        ['intersect', keys.slice(4, 6)],
        ['subtract', keys.slice(0, 4)],
      ] as const) {
        const walk = await loadWalk(subject, 'P331', { objectSet: { type, objectSets }, pageSize: 2 })
        demandKeys(walk, expected, { clause: 'P331', what: `the ${type} of two sets` })
      }
      const { records } = await loadPage(subject, 'P331', { objectSet: setOfKeys(subject, some) })
      const objects = records.map((record) => record['__rid'])
      const walk = await loadWalk(subject, 'P331', { objectSet: { type: 'static', objects }, pageSize: 4 })
      demandKeys(walk, some, { clause: 'P331', what: 'the objects with these rids' })
    },
  },
  {
    clause: 'P331',
    title: 'a set of several types is refused',
    revision,
    run: async ({ collection, send, otherType }) => {
      if (otherType === undefined) skip('needs another object type in the ontology')
      const objectSets = [baseSet(collection), baseSet({ ...collection, objectType: otherType })]
      const exchange = await send(loadRequest(collection, { objectSet: { type: 'union', objectSets } }))
      demandRefusal(exchange, {
        clause: 'P331',
        name: 'UnsupportedObjectSet',
        parameters: { type: 'union' },
        because: 'the two sets have objects of different types',
      })
    },
  },
  {
    clause: 'P332',
    title: 'conditions on the primary key mean what their names say',
    revision,
    run: async (subject) => {
      const field = subject.type.key.name
      const keys = spreadKeys(subject, 8)
      const within = (where: object) => ({
        objectSet: { type: 'filter', objectSet: setOfKeys(subject, keys), where },
        pageSize: 3,
      })
      const [, , , fourth = ''] = keys
      const property = { propertyIdentifier: { type: 'property', apiName: field } }
      const eq = { type: 'eq', field, value: fourth }
      // The sample is in the order of the key, and so are these.
      for (const [where, expected] of [
        [eq, [fourth]],
        [{ type: 'eq', ...property, value: fourth }, [fourth]],
        [{ type: 'not', value: eq }, keys.toSpliced(3, 1)],
        [{ type: 'lt', field, value: fourth }, keys.slice(0, 3)],
        [{ type: 'lte', field, value: fourth }, keys.slice(0, 4)],
        [{ type: 'gt', field, value: fourth }, keys.slice(4)],
        [{ type: 'gte', field, value: fourth }, keys.slice(3)],
        [{ type: 'in', field, value: keys.slice(1, 3) }, keys.slice(1, 3)],
        [{ type: 'isNull', field, value: true }, []],
        [{ type: 'isNull', field, value: false }, keys],
        [{ type: 'and', value: [] }, keys],
        [{ type: 'or', value: [eq, { type: 'in', field, value: keys.slice(0, 1) }] }, [keys[0], fourth]],
      ] as const) {
        demandKeys(await loadWalk(subject, 'P332', within(where)), expected, {
          clause: 'P332',
          what: JSON.stringify(where).slice(0, 200),
        })
      }
    },
  },
  {
    clause: 'P337',
    title: 'an unsupported feature is refused by its name',
    revision,
    run: async ({ collection, send, type }) => {
      const refused = async (
        body: object,
        name: 'UnsupportedObjectSet' | 'UnsupportedCondition',
        kind: string,
      ) =>
        demandRefusal(await send(loadRequest(collection, body)), {
          clause: 'P337',
          name,
          parameters: { type: kind },
          because: `there is no ${kind}`,
        })
      const interfaces = { type: 'interfaceBase', interfaceType: 'anything' }
      await refused({ objectSet: interfaces }, 'UnsupportedObjectSet', 'interfaceBase')
      const where = { type: 'regex', field: type.key.name, value: '.*' }
      const filter = { type: 'filter', objectSet: baseSet(collection), where }
      await refused({ objectSet: filter }, 'UnsupportedCondition', 'regex')
    },
  },
]
