// Subscriptions of revision v2: ids that stay, and hints that name them. Clients drop what comes for an id that they do not know.
import { demand, shown } from '../clauses/clause-failure.ts'
import {
  askForSocket,
  following,
  followRequest,
  requireSubscriptions,
  type Following,
  type Hint,
} from '../subject/follow-sets.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import type { Subject } from '../subject/subject.ts'
import { baseSet, setOfKeys, spreadKeys } from '../subject/v2-page.ts'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'

const revision = 'v2'

export const subscriptionCases: readonly Case[] = [
  {
    clause: 'P360',
    title: 'without a web socket there is nothing to subscribe to',
    revision,
    run: async (subject) => {
      demandRefusal(await requireSubscriptions(subject), {
        clause: 'P360',
        name: 'InvalidParameterValue',
        because: 'the request is not for a web socket',
      })
    },
  },
  {
    clause: 'P360',
    title: 'the token is a protocol, which is repeated, and nobody connects without one',
    revision,
    run: (subject) =>
      following(subject, 'P360', async ({ protocol, exchange }) => {
        demand(protocol.startsWith('Bearer-'), {
          clause: 'P360',
          expected: 'the protocol with the token in Sec-WebSocket-Protocol',
          found: protocol === '' ? 'no protocol' : 'another one',
          exchange: exchange(),
        })
        demandRefusal(await askForSocket(subject, { token: null }), {
          clause: 'P360',
          name: 'Default:Unauthorized',
          because: 'there is no token',
        })
      }),
  },
  {
    clause: 'P361',
    title: 'an answer has the id of its message, and an unchanged request keeps the id of its subscription',
    revision,
    run: (subject) =>
      following(subject, 'P361', async (socket) => {
        // A client begins with an empty list, and repeats what it follows every 45 seconds.
        await socket.ids()
        const [some, others] = twoRequests(subject)
        const [first] = await socket.ids(some)
        demandKept(socket, await socket.ids(some), [first])
        const [second, ...rest] = await socket.ids(others, some)
        demandKept(socket, rest, [first])
        demandApart(socket, [first, second])
        demandKept(socket, await socket.ids(some, others), [first, second])
        demandApart(socket, await socket.ids(some, some))
      }),
  },
  {
    clause: 'P361',
    title: 'a request that is refused has an answer in its place, and takes nothing from the others',
    revision,
    run: (subject) =>
      following(subject, 'P361', async (socket) => {
        const [some, others] = twoRequests(subject)
        const ids = await socket.ids(some, others)
        const wrong = followRequest(
          baseSet({ ...subject.collection, objectType: 'octavo-conformance-none' }),
          [],
        )
        const [first, refused, last] = await socket.answers(some, wrong, others)
        demand(refused?.type === 'error', {
          clause: 'P361',
          expected: 'an error as the second response, because there is no such type',
          found: shown(refused),
          exchange: socket.exchange(),
        })
        const kept = [first, last].map((response) => (response?.type === 'success' ? response.id : undefined))
        demandKept(socket, kept, ids)
      }),
  },
  {
    clause: 'P362',
    title: 'a change arrives with the id of its subscription, before and after the list is repeated',
    revision,
    writes: true,
    run: (subject) =>
      withOwnObjects(subject, (own) =>
        following(subject, 'P362', async (socket) => {
          const requests = [0, 1].map((number) =>
            followRequest(setOfKeys(subject, [own.keyAt(number)]), [own.marked]),
          )
          const [id = '', otherId] = await socket.ids(...requests)
          const key = own.keyAt(0)
          const written = async (mark: number | undefined): Promise<void> => {
            await own.setTo([0], mark)
            const value = own.present()[0]?.[own.marked]
            await demandChange(socket, { id, otherId, key, marked: own.marked, value, subject })
          }
          await written(1)
          demandKept(socket, await socket.ids(...requests), [id, otherId])
          await written(2)
          await written(undefined)
          await written(3)
        }),
      ),
  },
]

function twoRequests(subject: Subject): readonly [object, object] {
  const { name } = subject.type.key
  const of = (keys: number) => followRequest(setOfKeys(subject, spreadKeys(subject, keys)), [name])
  return [of(2), of(3)]
}

type Ids = readonly (string | undefined)[]

const demandKept = (socket: Following, found: Ids, expected: Ids): void =>
  demand(JSON.stringify(found) === JSON.stringify(expected), {
    clause: 'P361',
    expected: `the subscription ids ${expected.join(', ')}, which these requests had`,
    found: shown(found),
    exchange: socket.exchange(),
  })

const demandApart = (socket: Following, ids: Ids): void =>
  demand(new Set(ids).size === ids.length, {
    clause: 'P361',
    expected: 'a different id for each subscription',
    found: shown(ids),
    exchange: socket.exchange(),
  })

interface Written {
  readonly subject: Subject
  readonly id: string
  /** Of a set to which the object does not belong. */
  readonly otherId: string | undefined
  readonly key: unknown
  readonly marked: string
  /** Undefined if the object is not there any more. */
  readonly value: unknown
}

/** Waits for the change, or for the request to load the set again, which a server may always send instead. */
async function demandChange(socket: Following, written: Written): Promise<void> {
  const { id, otherId, subject } = written
  for (;;) {
    const hint = await socket.hint()
    demand(hint.type !== 'subscriptionClosed', {
      clause: 'P362',
      expected: 'a message about the change',
      exchange: socket.exchange(),
    })
    if (hint.type === 'refreshObjectSet') {
      demand(hint.objectType === subject.collection.objectType, {
        clause: 'P363',
        expected: `the objectType ${subject.collection.objectType} of the set`,
        exchange: socket.exchange(),
      })
      if (hint.id === id) return
      continue
    }
    demand(hint.id !== otherId, {
      clause: 'P362',
      expected: `the id ${id}, and not ${otherId}, in whose set the object never was`,
      exchange: socket.exchange(),
    })
    demandUpdate(socket, hint, written)
    return
  }
}

function demandUpdate(
  socket: Following,
  { updates }: Extract<Hint, { readonly type: 'objectSetChanged' }>,
  { key, marked, value }: Written,
): void {
  const state = value === undefined ? 'REMOVED' : 'ADDED_OR_UPDATED'
  const [update, ...others] = updates
  const object: Readonly<Record<string, unknown>> = update?.object ?? {}
  const isRight =
    others.length === 0 &&
    update?.state === state &&
    object['__primaryKey'] === key &&
    (value === undefined || object[marked] === value)
  demand(isRight, {
    clause: 'P362',
    expected: `one update, of the object ${shown(key)}: ${state}${value === undefined ? '' : `, with ${marked} ${shown(value)}`}`,
    exchange: socket.exchange(),
  })
}
