import { checksumOf } from '../../../src/subject/content-checksum.ts'
import type { BrokenServer } from './broken-server.ts'

export const checksumWithoutKeys: BrokenServer = {
  name: 'checksum-without-keys',
  mistake: 'leaves the primary key out of the hash',
  clause: 'P250',
  also: ['P252', 'P272'],
  revision: '2.0',
  steps: () => ({
    checksumOf: (state) => checksumOf([...state.values()].map((properties) => ({ properties }))),
  }),
}
