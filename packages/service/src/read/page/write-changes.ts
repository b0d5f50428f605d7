// Writes a page of changes: the objects that were put, as PostgreSQL wrote them, then the keys of those that were deleted.
import type { Deletion, Difference } from '../rows/changes/read-difference.ts'
import { recordEnd } from '../sql/record-text.ts'
import { member } from './write-page.ts'

export interface ChangesEnvelope {
  readonly fromVersion: string
  readonly toVersion: string
  readonly nextPageToken: string | undefined
  readonly snapshotToken: string | undefined
  readonly total: string | undefined
  readonly checksum: string | undefined
}

export function writeChanges(
  { puts, deletes }: Pick<Difference, 'puts' | 'deletes'>,
  { fromVersion, toVersion, nextPageToken, snapshotToken, total, checksum }: ChangesEnvelope,
): Buffer {
  const between = puts !== undefined && deletes.length > 0 ? ',\n' : ''
  const end = `]${member('fromVersion', fromVersion)}${member('toVersion', toVersion)}${member('nextPageToken', nextPageToken)}${member('snapshotToken', snapshotToken)}${member('totalCount', total)}${member('checksum', checksum)}}`
  return Buffer.concat([
    Buffer.from('{"data":['),
    ...(puts === undefined ? [] : [puts.records, Buffer.from(recordEnd('change'))]),
    Buffer.from(`${between}${deletes.map(deletionText).join(',\n')}${end}`),
  ])
}

const deletionText = ({ key, reason }: Deletion): string =>
  `{"type":"delete","primaryKey":${JSON.stringify(key)},"reason":"${reason}"}`
