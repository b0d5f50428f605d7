import { compressed } from '../model-server/compressed.ts'
import type { BrokenServer } from './broken-server.ts'

export const compressedWithoutVary: BrokenServer = {
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
}
