import type { OldestReadable } from '@octavo/protocol'
import type { ObjectVersion } from '../rows/page/read-object-versions.ts'

export interface VersionsEnvelope {
  readonly nextPageToken: string | undefined
  readonly version: string
  readonly oldestReadable: OldestReadable
}

/** The text of each record is copied unchanged: no value is parsed and formatted again. */
export function writeVersions(versions: readonly ObjectVersion[], envelope: VersionsEnvelope): Buffer {
  const items = versions.map(({ record, version, committedAt, until }) => {
    const facts = JSON.stringify({
      type: record === undefined ? 'delete' : 'put',
      version,
      committedAt,
      untilVersion: until,
    })
    return record === undefined ? facts : `${facts.slice(0, -1)},"object":${record}}`
  })
  return Buffer.from(`{"data":[${items.join(',\n')}],${JSON.stringify(envelope).slice(1)}`)
}
