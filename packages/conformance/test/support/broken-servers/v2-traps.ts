// Mistakes on which clients of the API family loop for ever, fail, or ask for another type.
import type { BrokenServer } from './broken-server.ts'

const revision = 'v2'

export const v2Traps: readonly BrokenServer[] = [
  {
    name: 'v2-token-on-full-last-page',
    mistake: 'has a token on a last page that is full: one client then fails on an empty page',
    clause: 'P335',
    revision,
    steps: () => ({
      tokenField: ({ objects, size }, seal) => (objects.length === size ? seal() : undefined),
    }),
  },
  {
    name: 'v2-empty-string-token',
    mistake: 'sends an empty token on the last page, with which one client asks for the first page for ever',
    clause: 'P335',
    revision,
    steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : '') }),
  },
  {
    name: 'v2-null-token',
    mistake: 'sends null on the last page, which one client does not accept as a token',
    clause: 'P335',
    revision,
    steps: () => ({ tokenField: ({ hasMore }, seal) => (hasMore ? seal() : null) }),
  },
  {
    name: 'v2-missing-total',
    mistake: 'counts only on the first page, or not at all, though one client requires the total of each',
    clause: 'P336',
    revision,
    steps: () => ({ v2Total: () => ({}) }),
  },
  {
    name: 'v2-total-not-on-the-last-page',
    mistake: 'leaves the total out where it seems to be of no use any more',
    clause: 'P336',
    revision,
    steps: () => ({ v2Total: (totalCount, { isLast }) => (isLast ? {} : { totalCount }) }),
  },
  {
    name: 'v2-wrong-type-name',
    mistake:
      'gives the display name of the type, so that clients load the metadata of a type that there is not',
    clause: 'P334',
    revision,
    steps: () => ({ flatRecord: (record) => ({ ...record, __apiName: 'Thing' }) }),
  },
  {
    name: 'v2-key-of-another-type',
    mistake: 'wraps the key, as records of other revisions do, so that it equals no key that a client holds',
    clause: 'P334',
    revision,
    steps: () => ({
      flatRecord: ({ __primaryKey, ...record }) => ({
        __primaryKey: `thing:${String(__primaryKey)}`,
        ...record,
      }),
    }),
  },
  {
    name: 'v2-rid-always',
    mistake: 'sends rids that the request excludes',
    clause: 'P334',
    revision,
    steps: () => ({ flatRecord: (record) => ({ __rid: 'ri.of.an.object', ...record }) }),
  },
  {
    name: 'v2-unknown-is-ignored',
    mistake: 'ignores conditions that it does not know, so that more objects come than were asked for',
    clause: 'P337',
    revision,
    steps: () => ({ knowsKind: () => true }),
  },
  {
    name: 'v2-subscription-id-changes',
    mistake:
      'gives new ids when a client repeats its list, which then drops the changes that arrive with the old ones',
    clause: 'P361',
    revision,
    steps: () => ({ subscriptionId: (_kept, fresh) => fresh() }),
  },
  {
    name: 'v2-subscription-id-shared',
    mistake: 'has one id for the connection, so that a client takes every change for one of its last set',
    clause: 'P361',
    also: ['P362'],
    revision,
    steps: () => ({ subscriptionId: () => 'connection' }),
  },
  {
    name: 'v2-answer-with-an-id-of-its-own',
    mistake: 'numbers its answers, though a client throws when it meets the id of no message',
    clause: 'P361',
    revision,
    steps: () => {
      let answers = 0
      return { answerId: () => `answer-${(answers += 1)}` }
    },
  },
  {
    name: 'v2-changes-with-another-id',
    mistake: 'sends a change with another id than that of the subscription, which clients drop silently',
    clause: 'P362',
    revision,
    steps: () => ({ toldId: (id) => `${id}-changed` }),
  },
  {
    name: 'v2-notifies-every-subscription',
    mistake: 'reports a commit whatever the set is, so that clients load again what has not changed',
    clause: 'P362',
    revision,
    steps: () => ({ tellsNothingNew: () => true }),
  },
  {
    name: 'v2-answer-without-web-socket',
    mistake: 'answers a request that is not for a web socket as if it had subscribed',
    clause: 'P360',
    revision,
    steps: () => ({ withoutSocket: () => ({}) }),
  },
]
