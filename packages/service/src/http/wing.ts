import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { ServeOptions } from '../config/options.ts'
import type { Observe } from '../observe/observation.ts'
import type { PageService } from '../read/walk/page-service.ts'

/** A part of the service that can be left out: revisions 1.0 and 2.0 need none. */
export interface Wing {
  readonly routes: readonly FastifyPluginAsyncTypebox[]
  /** Counts the connections that it keeps open, and what is subscribed to over them. */
  readonly subscribed?: () => { readonly sockets: number; readonly subscriptions: number }
}

export interface WingSources {
  readonly pages: PageService
  readonly observe: Observe
  readonly now: () => Date
  /** Milliseconds on a monotonic clock. */
  readonly elapsed: () => number
}

export type OpenWing = (options: ServeOptions, sources: WingSources) => Wing
