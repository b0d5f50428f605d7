import { afterFields, waitOf, type AfterPosition } from './after-position.ts'
import { atCaller } from './errors/at-caller.ts'
import { checkOptions } from './options/check-options.ts'
import { transportOf, type ClientOptions } from './client-options.ts'
import { foundObjects, type FoundObjects } from './found-objects.ts'
import { inspectedAs } from './inspect/inspected-as.ts'
import { listedObjects, type ListedObjects } from './listed-objects.ts'
import type { AnyTypes, FoundObject, TypesOf } from './query/object-type-shape.ts'
import { searchSettings } from './continued-walk.ts'
import { sendRequest } from './transport/send-request.ts'
import {
  rulesOf,
  walkSettings,
  type ListOptions,
  type ReadOptions,
  type WalkOptions,
} from './walk-options.ts'
import type { AnyObjectType } from './query/object-type-shape.ts'
import { readSavedWalk } from './walk/saved-walk.ts'
import { Walk } from './walk/walk.ts'

type TypeName<Types> = Extract<keyof Types, string>

export interface Ontology {
  readonly rid: string
  readonly apiName: string
  readonly displayName: string
  readonly description: string
}

/** Reads an ontology through revision 1.0. */
export interface OntologyReader<Types extends TypesOf<Types>> {
  readonly objects: <Name extends TypeName<Types>>(objectType: Name) => ListedObjects<Types[Name]>
}

/** Reads the ontology of an API family through revision 2.0. */
export interface FamilyReader<Types extends TypesOf<Types>> {
  readonly objects: <Name extends TypeName<Types>>(objectType: Name) => FoundObjects<Types[Name]>
  /** Names the latest state of these object types, or of all, or an earlier one, so that all of them can be read in it. */
  readonly snapshot: (
    objectTypes?: readonly TypeName<Types>[],
    options?: SnapshotOptions,
  ) => Promise<Snapshot>
}

export interface SnapshotOptions extends ReadOptions {
  /** Name the state that stood at this time, instead of the latest. */
  readonly at?: string | Date
  /** Name the state of this version, of a single object type. */
  readonly version?: string
  /** Name a state that contains this position of a source; `source` of the answer says at which position it is. */
  readonly after?: AfterPosition
}

/** A state, for the option `snapshotToken` of walks. */
export interface Snapshot {
  readonly snapshotToken: string
  /** The version of each object type in it. */
  readonly versions: Readonly<Record<string, string>>
  /** It can be read until then at least. */
  readonly readableUntil: string
  /** Where the source of the option `after` is in it. */
  readonly source?: { readonly name: string; readonly generation: number; readonly position: string }
}

export interface Client<Types extends TypesOf<Types> = AnyTypes> {
  /** The ontologies that the caller may read. */
  readonly ontologies: (options?: ListOptions) => Walk<Ontology>
  /** Lists objects: at most 10,000 objects per walk, scalar properties only. */
  readonly ontology: <Own extends TypesOf<Own> = Types>(ontologyRid: string) => OntologyReader<Own>
  /** Searches objects: collections of any size, every property, and queries. */
  readonly family: <Own extends TypesOf<Own> = Types>(apiFamily: string) => FamilyReader<Own>
  /** Continues a walk saved with `walk.save()`, in this process or another. */
  readonly resume: <Item = FoundObject>(
    saved: string,
    options?: Pick<
      WalkOptions<AnyObjectType, string>,
      'signal' | 'readAhead' | 'onSnapshotGone' | 'onContinue' | 'onNotice'
    >,
  ) => Walk<Item>
}

/**
 * Creates a client, typed with the interface that `octavo types` generates (`createClient<Ontology>({ url, token })`) or
 * untyped.
 */
export function createClient<Types extends TypesOf<Types> = AnyTypes>(options: ClientOptions): Client<Types> {
  const transport = transportOf(options)
  const ontologies = '/api/v1/ontologies'
  const { url, token, retries, timeoutSeconds } = transport
  const client: Client<Types> = {
    ontologies: ({ pageSize, ...settings } = {}) => {
      checkOptions('ontologies()', { pageSize, ...settings }, rulesOf.ontologies)
      return new Walk(
        transport,
        {
          kind: 'list',
          path: ontologies,
          snapshot: false,
          nullEnds: true,
          parameters: pageSize === undefined ? [] : [['pageSize', String(pageSize)]],
        },
        walkSettings(settings),
      )
    },
    ontology: (ontologyRid) => ({
      objects: (objectType) =>
        listedObjects(
          transport,
          `${ontologies}/${encodeURIComponent(ontologyRid)}/objects/${encodeURIComponent(objectType)}`,
        ),
    }),
    family: (apiFamily) => {
      const path = `/api/${encodeURIComponent(apiFamily)}/v1`
      const snapshot: FamilyReader<AnyTypes>['snapshot'] = (objectTypes, settings = {}) =>
        atCaller(snapshot, async () => {
          checkOptions('snapshot()', settings, rulesOf.snapshot)
          const request = {
            path: `${path}/snapshots`,
            body: { objectTypes, at: settings.at, version: settings.version, ...afterFields(settings.after) },
            ...waitOf(settings.after),
          }
          return (await sendRequest(transport, request, [settings.signal])) as Snapshot
        })
      return {
        objects: (objectType) =>
          foundObjects(transport, `${path}/objects/types/${encodeURIComponent(objectType)}`),
        snapshot,
      }
    },
    resume: (saved, settings = {}) => {
      checkOptions('resume()', settings, rulesOf.resume)
      const { request, position, rest } = readSavedWalk(saved)
      return new Walk(transport, request, searchSettings(transport, request, settings), {
        position,
        rest: rest as never,
      })
    },
  }
  return inspectedAs(client, 'Client', () => ({
    url,
    token: typeof token === 'string' ? 'not shown' : 'from a function',
    retries,
    timeoutSeconds,
  }))
}
