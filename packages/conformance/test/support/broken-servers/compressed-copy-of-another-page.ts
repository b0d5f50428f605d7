import { compressed, type SentBody } from '../model-server/compressed.ts'
import type { BrokenServer } from './broken-server.ts'

export const compressedCopyOfAnotherPage: BrokenServer = {
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
}
