import type { BrokenServer } from './broken-server.ts'
import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { correctSteps } from '../model-server/steps.ts'
import { ownerType, idOf, hiddenThing, scalarType } from '../model-server/model-data.ts'
import { heldKeys, correctLinksSteps } from '../model-server/links-steps.ts'
import { correctAggregateSteps } from '../model-server/aggregate-steps.ts'
import { refuse } from '../model-server/model-refusal.ts'

/** A token of the state of the owners alone. */
const namesOwners = (opened: object | undefined): boolean =>
  opened !== undefined &&
  'versions' in opened &&
  Object.keys(opened.versions as object).join() === ownerType.apiName

export const noAggregates: BrokenServer = {
  name: 'no-aggregates',
  mistake: 'is older than aggregates and does not know their endpoint',
  clause: 'P300',
  steps: () => ({
    knowsAggregates: () => refuse('PathNotFound', {}),
  }),
}

export const brokenLinksAndAggregates: readonly BrokenServer[] = [
  {
    name: 'aggregate-cut-silently',
    mistake: 'stops reading at a limit and answers with the numbers of what it has read',
    clause: 'P314',
    also: ['P315'],
    steps: () => ({
      aggregatedObjects: (objects) => objects.slice(0, 50),
    }),
  },
  {
    name: 'aggregate-of-the-latest-state',
    mistake: 'computes numbers of what is there now, though the request names another state',
    clause: 'P313',
    steps: () => ({
      aggregatedState: (store) => stateAt(store, latestVersion(store)),
    }),
  },
  {
    name: 'groups-left-out-silently',
    mistake: 'returns the first groups and does not say that there are others',
    clause: 'P312',
    steps: () => ({
      aggregateAnswer: ({ excludedItems: _left, ...answer }) => answer,
    }),
  },
  {
    name: 'link-in-two-states',
    mistake:
      'keeps the state of the objects of a walk in its page token, and follows the links in the latest state',
    clause: 'P322',
    revision: '2.0',
    steps: () => ({
      linkedVersion: (store) => latestVersion(store),
    }),
  },
  {
    name: 'link-state-not-named',
    mistake: 'follows links with a snapshot token that does not name the state of the other type',
    clause: 'P322',
    revision: '2.0',
    steps: () => ({
      openSnapshot: (token, asked) =>
        asked.objectType === 'thing' && typeof token === 'string' && namesOwners(asked.box.open(token))
          ? { version: 0, identity: 'version 0' }
          : correctSteps.openSnapshot(token, asked),
    }),
  },
  {
    name: 'link-reveals-a-hidden-target',
    mistake:
      'reads pairs from the property that holds the keys, and does not look whether the caller may see their objects',
    clause: 'P323',
    also: ['P324', 'P328'],
    revision: '2.0',
    steps: () => ({
      pairsOf: ({ property, isHeldHere }, holder) =>
        [...new Set(heldKeys(holder, property))]
          .toSorted()
          .map((key) =>
            isHeldHere ? { source: idOf(holder), target: key } : { source: key, target: idOf(holder) },
          ),
    }),
  },
  {
    name: 'linked-is-not-null',
    mistake:
      'takes a property with a value for a link, though the value may be the key of nothing, or of a hidden object',
    clause: 'P323',
    also: ['P324'],
    revision: '2.0',
    steps: () => ({
      linkedQuery: (link, targets, query) =>
        link.isHeldHere && query.query.type === 'empty'
          ? { type: 'isNull', field: link.property, value: false }
          : correctLinksSteps.linkedQuery(link, targets, query),
    }),
  },
  {
    name: 'linked-objects-twice',
    mistake: 'joins the two types and returns an object for each link that leads to it',
    clause: 'P327',
    also: ['P321', 'P322', 'P323', 'P324', 'P431'],
    revision: '2.0',
    steps: () => ({
      takePage: (rest, size, ask) =>
        correctSteps.takePage(
          ask.followsLinks === true ? rest.flatMap((object) => [object, object]) : rest,
          size,
          ask,
        ),
    }),
  },
  {
    name: 'min-and-max-of-hidden-objects',
    mistake:
      'takes the least and the greatest value from the ends of an index, which has the objects that a policy hides too',
    clause: 'P317',
    steps: () => ({
      metric: (item, objects, asked) => {
        const isEnd = item.type === 'min' || item.type === 'max'
        const read = isEnd && asked.all !== undefined ? [...asked.all.values(), hiddenThing] : objects
        return correctAggregateSteps.metric(item, read, asked)
      },
    }),
  },
  noAggregates,
  {
    name: 'null-group-lost',
    mistake:
      'groups by a join with the values, which loses the objects without one even if they are asked for',
    clause: 'P307',
    steps: () => ({
      groupedObjects: (objects, field) => objects.filter((object) => object[field] !== undefined),
    }),
  },
  {
    name: 'pairs-cut-inside-an-object',
    mistake: 'ends a page of pairs wherever it is full, and continues within the pairs of one object',
    clause: 'P328',
    revision: '2.0',
    steps: () => ({
      pairsInOrder: (pairs) => pairs.flat().map((pair) => [pair]),
    }),
  },
  {
    name: 'pairs-in-the-order-of-targets',
    mistake: 'lists pairs in the order of an index on the property that holds the keys',
    clause: 'P328',
    revision: '2.0',
    steps: () => ({
      pairsInOrder: (pairs) =>
        pairs
          .flat()
          .toSorted((a, b) => (a.target < b.target ? -1 : 1))
          .map((pair) => [pair]),
    }),
  },
  {
    name: 'sum-of-doubles',
    mistake: 'adds long numbers as doubles, which are exact only up to 2^53',
    clause: 'P303',
    steps: () => ({
      metric: (item, objects, asked) => {
        if (item.type !== 'sum' || scalarType(item.field) !== 'long')
          return correctAggregateSteps.metric(item, objects, asked)
        return { value: String(objects.reduce((sum, object) => sum + Number(object[item.field] ?? 0), 0)) }
      },
    }),
  },
]
