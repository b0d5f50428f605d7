// A caller may name its request, to find it again in our log; whatever it sends ends up there, so only plain names do.
import { headers } from '@octavo/protocol'
import type { IncomingMessage } from 'node:http'

const plainName = /^[A-Za-z0-9._:/+=-]{1,128}$/

export const requestIdOf = ({ headers: sent }: Pick<IncomingMessage, 'headers'>): string => {
  const id = sent[headers.requestId]
  return typeof id === 'string' && plainName.test(id) ? id : crypto.randomUUID()
}
