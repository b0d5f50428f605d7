// What a team would use instead, as a contestant.
import { askJson } from '../../harness/ask-json.ts'
import type { Peer } from '../../harness/peers/peers.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { checkObjects } from '../data/expected-objects.ts'
import { runWrk } from '../load/wrk.ts'
import type { Contestant } from './contestant.ts'
import { depthsOf, walkOf } from './depths.ts'

export interface PeerPages {
  readonly service: ServerProcess
  readonly pageSize: number
  readonly objects: number
}

export function peerContestant(peer: Peer, { service, pageSize, objects }: PeerPages): Contestant {
  const depths = depthsOf(objects, pageSize)
  const only = peer.onlyAtDepth === undefined ? undefined : [Math.floor(objects * peer.onlyAtDepth)]
  return {
    name: peer.name,
    pageSize,
    pids: [service.pid],
    check: async () => {
      const { placeOf, requestFor } = await peer.pagesAt(service.url)
      for (const after of only ?? depths.some) {
        const answer = await askJson(service.url, requestFor({ after: placeOf(after), pageSize }))
        checkObjects(peer.objectsIn(answer), { after, pageSize, mode: 'latest' })
      }
    },
    load: async (options) => {
      const { placeOf, requestFor } = await peer.pagesAt(service.url)
      const requests = (only ?? depths.all).map((after) => requestFor({ after: placeOf(after), pageSize }))
      const walk =
        peer.next === undefined
          ? undefined
          : walkOf(depths, { next: peer.next, requestFor: (after) => requestFor({ after, pageSize }) })
      return runWrk({ ...options, urls: [service.url], requests, walk })
    },
  }
}
