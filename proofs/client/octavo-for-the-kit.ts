// The real service with types that let the conformance kit try everything: two instances, two callers, an expired token, a
// snapshot that is gone.
import { letTimePass } from '../../packages/service/test/support/let-time-pass.ts'
import { runKit, urlWriter, type Gifts, type KitReport, type RevisionName } from '@octavo/conformance'
import type { ObjectTypeDefinition, PrimaryKeyType } from '@octavo/protocol'
import { keyOf, type ObjectType } from '../../packages/service/test/inside.ts'
import { employeeDefinition } from '../../packages/service/test/support/employee.ts'
import { itemDefinition, items, putItems } from '../../packages/service/test/support/load-items.ts'
import { putObject } from '../../packages/service/test/support/put-object.ts'
import { resealed } from '../../packages/service/test/support/reseal-token.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { grantTo, newTokenOf, testToken } from '../../packages/service/test/support/test-access.ts'
import { revisions, type Collection } from '../../packages/service/test/support/page-revisions.ts'
import { readPage } from '../../packages/service/test/support/walk-over-http.ts'

export interface OctavoForTheKit {
  /** Runs the kit with everything that a user can provide, and the batch endpoint as its writer. */
  readonly check: (objectType: string, revision: RevisionName, only?: readonly string[]) => Promise<KitReport>
  /** The same as arguments of the command, without what only a test can create. */
  readonly wordsFor: (objectType: string, revision: RevisionName) => readonly string[]
  /** Tries in revision 2.0 that the tokens of partitions outlive page tokens, on an instance where those live one second (P256). */
  readonly checkPartsOutlive: (objectType: string) => Promise<KitReport>
  /** Creates a type with this many plain items. */
  readonly addItems: (count: number) => Promise<string>
  /** Creates a small type for each type that a primary key can have. */
  readonly addKeyedTypes: () => Promise<readonly string[]>
  /**
   * Creates a type whose first page exceeds the byte budget. Its title is as large as the text, and half of it is in an
   * array, which revision 1.0 does not send.
   */
  readonly addLargeObjects: () => Promise<string>
}

/** `databaseUrl` is migrated and empty. Its type `employee` has properties and orders of every kind. */
export async function withOctavoForTheKit<T>(
  databaseUrl: string,
  work: (octavo: OctavoForTheKit) => Promise<T>,
): Promise<T> {
  const service = await startTestService({ databaseUrl })
  const instance = await startTestService({ databaseUrl })
  try {
    const { store } = service
    const ontology = await store.applyOntology({ apiName: 'kit', displayName: 'Kit', apiFamilies: ['kit'] })
    const other = await newTokenOf(store, { subject: 'other' })
    await grantTo(store, 'other', ontology.rid, 'reader')
    const types = new Map<string, FilledType>()
    const add = async (definition: ObjectTypeDefinition, objects: readonly object[]): Promise<string> => {
      const type = await store.applyObjectType(ontology, definition)
      await putItems(store, type, objects)
      types.set(type.apiName, { type, objects })
      return type.apiName
    }
    await add(teamDefinition, teams)
    await add(linkedEmployee, employees(80))
    return await work({
      check: async (objectType, revision, only) => {
        const collection = { ontologyRid: ontology.rid, apiFamily: 'kit', objectType }
        const filled = types.get(objectType)
        if (filled === undefined) throw new Error(`The type ${objectType} was not added.`)
        // The list of revision 1.0 ends at 10,000 objects, so the kit cannot see which keys are free.
        const mayWrite = revision !== '1.0' || filled.objects.length <= 10_000
        return runKit({
          server: { url: service.url, token: testToken },
          collection: { revision, ontology: revision === '1.0' ? ontology.rid : 'kit', objectType },
          ...(mayWrite && {
            writer: urlWriter(service.url + batchesPath(ontology.rid, objectType), testToken),
          }),
          gifts: {
            otherToken: other.token,
            otherUrl: instance.url,
            ...(revision === 'v2' ? {} : await agedTokens(service, { revision, collection, filled })),
          },
          only,
        })
      },
      checkPartsOutlive: async (objectType) => {
        const environment = { OCTAVO_PAGE_TOKEN_LIFETIME_SECONDS: '1' }
        const brief = await startTestService({ databaseUrl, environment })
        try {
          return await runKit({
            server: { url: brief.url, token: testToken },
            collection: { revision: '2.0', ontology: 'kit', objectType },
            gifts: { otherToken: other.token, otherUrl: instance.url, tokenLifeSeconds: 1 },
            only: ['P256'],
          })
        } finally {
          await brief.close()
        }
      },
      wordsFor: (objectType, revision) =>
        Object.entries({
          url: service.url,
          token: testToken,
          revision,
          ontology: revision === '1.0' ? ontology.rid : 'kit',
          type: objectType,
          'writer-url': `${service.url}${batchesPath(ontology.rid, objectType)}`,
          'other-token': other.token,
          'other-url': instance.url,
        }).map(([name, value]) => `--${name}=${value}`),
      addItems: (count) => add(itemDefinition(`items${count}`), items(count)),
      addKeyedTypes: () =>
        Promise.all(
          Object.entries(keys).map(([type, keyAt]) =>
            add(
              keyedDefinition(type as PrimaryKeyType),
              Array.from({ length: 40 }, (_, i) => ({
                key: keyAt(i),
                name: `n${i % 9}`,
                ...(i % 4 !== 0 && { rank: i % 5 }),
              })),
            ),
          ),
        ),
      addLargeObjects: () =>
        add(
          largeDefinition,
          items(120).map(({ id }) => ({ id, text: 'x'.repeat(100_000), more: ['y'.repeat(100_000)] })),
        ),
    })
  } finally {
    await service.close()
    await instance.close()
  }
}

/** Characters with a meaning in a URL, numbers beyond 2^53, and microseconds. */
const keys: Readonly<Record<PrimaryKeyType, (number: number) => string | number>> = {
  string: (number) => `k "${number}" é/%+&=?#\u{1F600}`,
  integer: (number) => number * 3 - 20,
  long: (number) => String(9_007_199_254_740_990n + BigInt(number)),
  date: (number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10),
  timestamp: (number) => `2024-01-01T00:00:${String(number).padStart(2, '0')}.00000${(number % 9) + 1}Z`,
}

const keyedDefinition = (type: PrimaryKeyType): ObjectTypeDefinition => ({
  apiName: `by-${type}`,
  displayName: `By ${type}`,
  primaryKey: 'key',
  titleProperty: 'key',
  properties: {
    key: { type },
    name: { type: 'string', sortable: true },
    rank: { type: 'integer', sortable: true, searchable: true },
  },
})

const largeDefinition: ObjectTypeDefinition = {
  apiName: 'large',
  displayName: 'Large',
  primaryKey: 'id',
  titleProperty: 'text',
  properties: { id: { type: 'string' }, text: { type: 'string' }, more: { type: { array: 'string' } } },
}

const teamDefinition: ObjectTypeDefinition = {
  apiName: 'team',
  displayName: 'Team',
  primaryKey: 'number',
  titleProperty: 'number',
  properties: { number: { type: 'integer' }, city: { type: 'string', searchable: true } },
}

const teams = Array.from({ length: 9 }, (_, i) => ({ number: i - 2, city: `c${i % 2}` }))

/** An employee has a team and mentors, who are employees. */
const linkedEmployee: ObjectTypeDefinition = {
  ...employeeDefinition,
  properties: {
    ...employeeDefinition.properties,
    teamNumber: { type: 'integer', searchable: true },
    mentorIds: { type: { array: 'string' }, searchable: true },
    locker: { type: 'string' },
  },
  links: {
    team: { objectType: 'team', foreignKeyProperty: 'teamNumber', reverse: 'members' },
    mentors: { objectType: 'employee', foreignKeyProperty: 'mentorIds', reverse: 'mentees' },
  },
}

const employeeId = (number: number): string => `e${String(number).padStart(4, '0')}`

/** Ties, missing values and strings that a dictionary would order differently. */
const employees = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, i) => ({
    employeeId: employeeId(i),
    // One team is not there, and some mentors are not, or are named twice.
    ...(i % 8 !== 0 && { teamNumber: (i % 9) - 3 }),
    ...(i % 4 !== 0 && { mentorIds: [i + 2, i + 1, 9_000, i + 2].map(employeeId) }),
    locker: `l${i}`,
    ...(i % 7 !== 0 && { fullName: `${['Ada', 'ada', 'Élan', 'Zoe', 'ß', '\u{1F600}'][i % 6]} ${i % 25}` }),
    ...(i % 3 !== 0 && { department: `d${i % 4}` }),
    ...(i % 5 !== 0 && { age: 20 + (i % 11) }),
    ...(i % 4 !== 0 && { salary: `${1000 + ((i * 37) % 90)}.${i % 10}0` }),
    badge: String(9_007_199_254_740_993n + BigInt((i * 31) % 97)),
    rating: ((i * 7) % 13) / 3,
    hiredAt: `2020-03-${String(1 + (i % 28)).padStart(2, '0')}T08:00:00${i % 2 === 0 ? '' : `.${(i % 9) + 1}`}Z`,
    ...(i % 6 !== 0 && { birthday: `19${70 + (i % 20)}-01-15` }),
    active: i % 2 === 0,
    notes: `note ${i}`,
    names: [{ firstName: 'Ada', lastName: `B${i}` }],
    tags: [`t${i % 3}`],
    address: { city: `c${i % 5}`, floor: i % 9 },
  }))

const batchesPath = (ontologyRid: string, objectType: string): string =>
  `/manage/v1/ontologies/${ontologyRid}/objectTypes/${objectType}/batches`

interface FilledType {
  readonly type: ObjectType
  readonly objects: readonly object[]
}

interface Aged {
  readonly revision: RevisionName
  readonly collection: Collection
  readonly filled: FilledType
}

/** The tokens that an hour of waiting would yield. */
async function agedTokens(service: TestService, { revision, collection, filled }: Aged): Promise<Gifts> {
  const first = revisions.find(({ name }) => name === revision)
  if (first === undefined) throw new Error(`There is no revision ${revision}.`)
  const tokenOf = async (snapshot: boolean) =>
    (await readPage(service, first, collection, { pageSize: 2, snapshot })).nextPageToken ?? ''
  const expiredPageToken = resealed(await tokenOf(false), (claims) => ({
    ...claims,
    issuedAtSeconds: claims.issuedAtSeconds - 1_000,
  }))
  const goneSnapshotToken = await tokenOf(true)
  // Only revision 2.0 has changes, but the state is one of the type in either.
  const expiredSnapshotToken = await stateOf(service, collection)
  // A snapshot is kept while it is the latest: commits end that, and pruning in the far future ends the rest.
  const { type, objects } = filled
  const put = putObject(type, { ...objects[0] })
  for (const change of [{ kind: 'delete', key: keyOf(put) } as const, put]) {
    await service.store.commit({ parts: [{ type, changes: [change] }] })
  }
  for (const hours of [10, 1]) {
    await letTimePass(service.store, type, hours * 3_600)
    await service.store.prune(type, {
      retentionSeconds: 3_600,
      settleSeconds: 60,
      commitsKeptSeconds: 86_400,
    })
  }
  return { expiredPageToken, goneSnapshotToken, expiredSnapshotToken }
}

/** A snapshot token of the latest state. */
async function stateOf(service: TestService, { apiFamily, objectType }: Collection): Promise<string> {
  const response = await service.fetch(`/api/${apiFamily}/v1/snapshots`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ objectTypes: [objectType] }),
  })
  const { snapshotToken } = (await response.json()) as { readonly snapshotToken: string }
  return snapshotToken
}
