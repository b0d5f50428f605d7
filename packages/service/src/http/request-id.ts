// A caller may send an id for its request, to find it again in our log. Since the id is written to the log, only plain names are
// accepted.
import { headers } from '@octavo/protocol'
import type { IncomingMessage } from 'node:http'

const plainName = /^[A-Za-z0-9._:/+=-]{1,128}$/

export const requestIdOf = ({ headers: sent }: Pick<IncomingMessage, 'headers'>): string => {
  const id = sent[headers.requestId]
  return typeof id === 'string' && plainName.test(id) ? id : crypto.randomUUID()
}
