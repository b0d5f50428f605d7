// Earlier states, the commits that made them, and the versions of one object, all of which the kit knows because it has written them.
import { objectVersionsPageSchema, typeCommitsPageSchema, type ObjectVersion } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { Case } from './case.ts'
import { demandRefusal } from './refusal.ts'
import { demandState, numbers } from './walks-under-change.ts'
import { demand, shown } from '../clauses/clause-failure.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { withOwnObjects, type OwnObjects } from '../subject/own-objects.ts'
import { getRequest, objectTypePath, postRequest, snapshotsPath } from '../subject/page-request.ts'
import { readPage } from '../subject/read-page.ts'
import type { Subject } from '../subject/subject.ts'
import { requireSnapshotTokens, snapshotIn, takeSnapshot } from '../subject/take-snapshot.ts'
import type { WireRecord } from '../subject/wire-page.ts'

interface Known {
  readonly version: string
  readonly objects: readonly WireRecord['properties'][]
}

/** Some commits, each with what it left. */
async function writeSome(subject: Subject, own: OwnObjects, clause: string): Promise<readonly Known[]> {
  const known: Known[] = []
  for (const mark of numbers(1, 6)) {
    await own.set(
      new Map([
        [mark % 3, mark % 4 === 0 ? undefined : mark],
        [10 + mark, mark],
      ]),
    )
    const { version } = await takeSnapshot(subject, clause)
    known.push({ version, objects: own.present() })
  }
  return known
}

const withTokens = async (subject: Subject, work: (own: OwnObjects) => Promise<void>): Promise<void> => {
  await requireSnapshotTokens(subject)
  await withOwnObjects(subject, work)
}

async function demandNamed(
  subject: Subject,
  own: OwnObjects,
  { clause, ask, ...known }: Known & { readonly clause: string; readonly ask: object },
): Promise<void> {
  const { collection, send } = subject
  const request = postRequest(snapshotsPath(collection), { objectTypes: [collection.objectType], ...ask })
  const taken = snapshotIn(subject, clause, await send(request))
  demand(taken.version === known.version, {
    clause,
    expected: `the state of version ${known.version}, which stood then`,
    found: `version ${taken.version}`,
    exchange: taken.exchange,
  })
  const filter = { filter: own.filter, orderBy: own.keyOrder }
  const { page, exchange } = await readPage(subject, clause, { ...filter, snapshotToken: taken.token })
  demandState(subject, clause, page.data, known.objects, exchange)
}

const isCommits = Compile(typeCommitsPageSchema)

/** The newest commits. */
async function readCommits({ collection, send }: Subject, clause: string) {
  const exchange = await send(getRequest(`${objectTypePath(collection)}/commits?pageSize=20`))
  const { body } = exchange
  demand(exchange.status === 200 && isCommits.Check(body), {
    clause,
    expected: '200 and commits, each with version and committedAt, and oldestReadable',
    exchange,
  })
  return { commits: body.data, exchange }
}

const isVersions = Compile(objectVersionsPageSchema)

async function readVersions({ collection, send }: Subject, primaryKey: string) {
  const versions: ObjectVersion[] = []
  let pageToken: string | undefined
  let exchange: Exchange
  do {
    exchange = await send(
      getRequest(
        `${objectTypePath(collection)}/objects/${encodeURIComponent(primaryKey)}/versions?pageSize=2${pageToken === undefined ? '' : `&pageToken=${pageToken}`}`,
      ),
    )
    const { body } = exchange
    demand(exchange.status === 200 && isVersions.Check(body), {
      clause: 'P280',
      expected: '200 and the versions of the object, each with its type and version',
      exchange,
    })
    versions.push(...body.data)
    pageToken = body.nextPageToken
  } while (pageToken !== undefined)
  return { versions, exchange }
}

export const historyUnderChange: readonly Case[] = [
  {
    clause: 'P285',
    title: 'the commits are listed newest first, each with the version that a snapshot had after it',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const known = await writeSome(subject, own, 'P285')
        const { commits, exchange } = await readCommits(subject, 'P285')
        const listed = commits.slice(0, known.length).map(({ version }) => version)
        const expected = known.map(({ version }) => version).toReversed()
        demand(listed.join() === expected.join(), {
          clause: 'P285',
          expected: `first the versions ${expected.join(', ')}`,
          found: listed.join(', '),
          exchange,
        })
      }),
  },
  {
    clause: 'P284',
    title: 'a version names the state that it made, and one that is still to come is refused',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const known = await writeSome(subject, own, 'P284')
        for (const one of known)
          await demandNamed(subject, own, { ...one, clause: 'P284', ask: { version: one.version } })
        const { collection, send } = subject
        const later = String(BigInt(known.at(-1)?.version ?? 0) + 1_000_000n)
        demandRefusal(
          await send(
            postRequest(snapshotsPath(collection), { objectTypes: [collection.objectType], version: later }),
          ),
          {
            clause: 'P284',
            name: 'Conjure:UnprocessableEntity',
            parameters: { path: '/version' },
            because: 'there is no such version yet',
          },
        )
      }),
  },
  {
    clause: 'P283',
    title: 'the time of a commit names the state that it made',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const known = await writeSome(subject, own, 'P283')
        const { commits } = await readCommits(subject, 'P283')
        for (const { committedAt: at, version } of commits.slice(0, known.length)) {
          // Of several commits with one time, the newest is meant.
          const newest = commits.find(({ committedAt }) => committedAt === at)?.version
          const one = known.find((each) => each.version === newest)
          if (newest === version && one !== undefined)
            await demandNamed(subject, own, { ...one, clause: 'P283', ask: { at } })
        }
      }),
  },
  {
    clause: 'P280',
    title: 'the versions of an object are what was written to it, deletions included, newest first',
    revision: '2.0',
    writes: true,
    run: (subject) =>
      withTokens(subject, async (own) => {
        const marks = [1, 2, undefined, 3]
        const known: Known[] = []
        for (const mark of marks) {
          await own.setTo([0], mark)
          const { version } = await takeSnapshot(subject, 'P280')
          known.push({ version, objects: own.present() })
        }
        const { versions, exchange } = await readVersions(subject, String(own.keyAt(0)))
        const written = known.map(({ version, objects: [object] }, i) => ({
          type: object === undefined ? 'delete' : 'put',
          version,
          until: known[i + 1]?.version,
          mark: object?.[own.marked],
        }))
        const listed = versions.map((one) => ({
          type: one.type,
          version: one.version,
          until: one['untilVersion'],
          mark: one.type === 'put' ? one.object.properties[own.marked] : undefined,
        }))
        // An earlier case may have left versions of an object with this key.
        const newest = listed.slice(0, written.length)
        demand(JSON.stringify(newest) === JSON.stringify(written.toReversed()), {
          clause: 'P280',
          expected: shown(written.toReversed()),
          found: shown(newest),
          exchange,
        })
      }),
  },
]
