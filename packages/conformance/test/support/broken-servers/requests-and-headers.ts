import type { BrokenServer } from './broken-server.ts'
import { compressed, type SentBody } from '../model-server/compressed.ts'
import { ontologyRid } from '../model-server/model-data.ts'

export const brokenRequestsAndHeaders: readonly BrokenServer[] = [
  {
    name: 'body-of-a-get-ignored',
    mistake: 'ignores the body of a GET, so that a filter that a client has put there filters nothing',
    clause: 'P407',
    steps: () => ({ refuseBody: () => {} }),
  },
  {
    name: 'compressed-copy-of-another-page',
    mistake: 'keeps compressed pages in a cache whose key has the path and not the parameters',
    clause: 'P232',
    steps: () => {
      let kept: SentBody | undefined
      return {
        sendBody: (body, acceptEncoding) => {
          const sent = compressed(body, acceptEncoding)
          if (sent.headers['content-encoding'] !== 'br') return sent
          return (kept ??= sent)
        },
      }
    },
  },
  {
    name: 'compressed-without-vary',
    mistake: 'leaves Vary out, so a cache sends the compressed answer to clients that cannot unpack it',
    clause: 'P235',
    steps: () => ({
      sendBody: (body, acceptEncoding) => {
        const { headers, ...sent } = compressed(body, acceptEncoding)
        const { vary: _, ...others } = headers
        return { ...sent, headers: others }
      },
    }),
  },
  {
    name: 'ontology-by-rid-alone',
    mistake: 'knows an ontology by its rid alone, though all other paths take its API name',
    clause: 'P411',
    revision: '1.0',
    steps: () => ({ isOntology: (name) => name === ontologyRid }),
  },
  {
    name: 'precondition-ignored',
    mistake: 'applies a batch whose precondition it does not know, over what another client has written',
    clause: 'P408',
    steps: () => ({ refusePreconditions: () => {} }),
  },
]
