// The target of bad requests.
import type { DescribedRoute } from '../../packages/service/test/inside.ts'
import type { Collection } from '../../packages/service/test/support/page-revisions.ts'

/** These requests never change what is read; what they change, no other part of the proof reads. */
export interface BadInputTarget extends Collection {
  readonly routes: readonly [DescribedRoute, ...DescribedRoute[]]
  /** Tokens of real walks, to be used where they do not belong. */
  readonly tokens: readonly [string, ...string[]]
  /** Names the state of the object type. */
  readonly snapshotToken: string
  /** The credentials of callers with fewer rights than the others, or with none. */
  readonly credentials: readonly [string, ...string[]]
  readonly spoilt: {
    readonly ontologyRid: string
    readonly accessTokenIds: readonly [string, ...string[]]
    /** The id of an unfinished load, by its type, until one of these requests ends it. */
    readonly loads: Readonly<Record<string, string>>
    /** Finishing one of these again gives the same receipt. */
    readonly finishedLoads: Readonly<Record<string, string>>
    /** An unfinished load of `loadedType`, which parts are added to. */
    readonly partLoad: string
  }
}

export const spoiltOntology = 'spoilt'
/** No request changes its definition, which would end its load. */
export const loadedType = 'loaded'
export const spoiltTypes = ['thing', 'other', 'third'] as const
