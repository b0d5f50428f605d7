import { latestVersion, stateAt } from '../model-server/model-store.ts'
import { compareBy, idOf } from '../model-server/model-data.ts'
import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const brokenPartitionsAndStreams: readonly BrokenServer[] = [
  {
    name: 'last-partition-has-an-end',
    mistake:
      'ends the last partition at the greatest key there is now, though the state that is split has greater ones',
    clause: 'P255',
    revision: '2.0',
    steps: () => ({
      splitEnds: (_state, partitions, ask, store) => {
        const latest = stateAt(store, latestVersion(store))
        const ends = correctSteps.splitEnds(latest, partitions, ask, store)
        const greatest = [...latest.values()].toSorted((a, b) => compareBy('id', 'desc', a, b))[0]
        return [...ends.slice(0, -1), greatest && idOf(greatest)]
      },
    }),
  },
  {
    name: 'more-partitions-than-asked',
    mistake: 'divides by the number of partitions, and puts what is left over into one partition more',
    clause: 'P253',
    revision: '2.0',
    steps: () => ({
      splitEnds: (state, partitionCount, ask, store) =>
        correctSteps.splitEnds(state, partitionCount + 1, ask, store),
    }),
  },
  {
    name: 'partition-not-bound-to-query',
    mistake: 'takes the token of a partition with any request, and reads what that request asks for',
    clause: 'P254',
    also: ['P256'],
    revision: '2.0',
    steps: () => ({
      checkWalk: (walk, ask, caller) => {
        if (walk.partition === undefined) correctSteps.checkWalk(walk, ask, caller)
      },
    }),
  },
  {
    name: 'partition-of-one-caller',
    mistake:
      'binds the token of a partition to the caller who split, so that it cannot be handed to a reader',
    clause: 'P256',
    revision: '2.0',
    steps: () => ({
      partitionWalk: (walk, caller) => ({ ...walk, caller }),
    }),
  },
  {
    name: 'partition-of-the-latest-state',
    mistake: 'reads a partition in the latest state, and not in the one that was split',
    clause: 'P255',
    revision: '2.0',
    steps: () => ({
      stateFor: (store, ask, walk) =>
        walk?.partition === undefined
          ? correctSteps.stateFor(store, ask, walk)
          : correctSteps.stateFor(store, { ...ask, snapshot: false }, undefined),
    }),
  },
  {
    name: 'partition-runs-on',
    mistake: 'forgets where a partition ends after its first page, and reads on to the end of the collection',
    clause: 'P255',
    also: ['P256'],
    revision: '2.0',
    steps: () => ({
      openToken: (token, box) => {
        const walk = correctSteps.openToken(token, box)
        return walk?.partition !== undefined && walk.returned > 0 ? { ...walk, partition: {} } : walk
      },
    }),
  },
  {
    name: 'partitions-by-first-letter',
    mistake: 'splits the alphabet and not the objects, whose keys all begin alike',
    clause: 'P258',
    revision: '2.0',
    steps: () => ({
      splitEnds: (_state, partitionCount) => [
        ...Array.from({ length: partitionCount - 1 }, (_, i) =>
          String.fromCodePoint(0x20 + Math.floor(((i + 1) * 0x60) / partitionCount)),
        ),
        undefined,
      ],
    }),
  },
  {
    name: 'partitions-leave-a-gap',
    mistake: 'ends a partition before the object after which the next partition begins',
    clause: 'P255',
    also: ['P256'],
    revision: '2.0',
    steps: () => ({
      withinPartition: (rest, end) =>
        correctSteps.withinPartition(rest, end).filter((object) => idOf(object) !== end),
    }),
  },
  {
    name: 'partitions-of-the-latest-state',
    mistake: 'takes a snapshot token and splits the latest state all the same',
    clause: 'P253',
    also: ['P255'],
    revision: '2.0',
    steps: () => ({
      splitVersion: latestVersion,
    }),
  },
  {
    name: 'partitions-overlap',
    mistake: 'begins a partition with the object with which the partition before it ends',
    clause: 'P255',
    also: ['P256'],
    revision: '2.0',
    steps: () => ({
      restAfter: (sorted, ask, walk, compare) =>
        walk.partition !== undefined && walk.returned === 0
          ? sorted.filter((object) => compare(ask, object, walk.last) >= 0)
          : correctSteps.restAfter(sorted, ask, walk, compare),
    }),
  },
  {
    name: 'stream-counts-lines',
    mistake: 'counts the lines of a stream, not its objects',
    clause: 'P261',
    also: ['P263'],
    revision: '2.0',
    steps: () => ({
      endLine: (end, lines) => ({ ...end, objectCount: lines }),
    }),
  },
  {
    name: 'stream-token-one-late',
    mistake: 'seals the page token of a stream after it has looked one object ahead',
    clause: 'P263',
    revision: '2.0',
    steps: () => ({
      streamToken: (pageToken, after) => after(1) ?? pageToken,
    }),
  },
  {
    name: 'stream-without-its-end',
    mistake: 'ends a stream after its last record, so that a stream that was cut off looks the same',
    clause: 'P261',
    also: ['P263'],
    revision: '2.0',
    steps: () => ({
      endLine: () => undefined,
    }),
  },
  {
    name: 'totals-on-pages-of-a-partition',
    mistake:
      'sends the total and the checksum of the whole collection with each partition, as if it were a walk of all',
    clause: 'P257',
    revision: '2.0',
    steps: () => ({
      showsTotals: () => true,
    }),
  },
]
