// Who read and changed what, for owners.
import { useEffect, useState } from 'preact/hooks'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { visibleText } from '../grid/cell-text.ts'
import { ask, failureOf, type Failure } from '../service/api.ts'
import type { FoundType } from '../types/catalog.ts'
import { numberText } from '../types/type-list.tsx'
import { bytesText } from './amounts.ts'

interface AuditRecord {
  readonly occurredAt: string
  readonly subject: string
  readonly action: string
  readonly version?: string
  readonly revision?: number
  readonly role?: string
  readonly principal?: { readonly type: string; readonly name: string }
  readonly node?: string
  readonly mode?: string
  readonly objectCount?: number
  readonly byteCount?: number
}

interface AuditPage {
  readonly data: readonly AuditRecord[]
  readonly nextPageToken?: string
  readonly kept: boolean
}

interface Known {
  readonly records: readonly AuditRecord[]
  readonly next: string | undefined
  readonly kept: boolean
  readonly failure: Failure | undefined
}

const nothing: Known = { records: [], next: undefined, kept: true, failure: undefined }

export function Audit({ family, type }: FoundType) {
  const [known, setKnown] = useState<Known>()
  const { rid, role } = family.ontology
  const readOn = async (before: Known): Promise<void> => {
    const parameters = new URLSearchParams({ objectType: type.apiName, pageSize: '50' })
    if (before.next !== undefined) parameters.set('pageToken', before.next)
    const path = `/manage/v1/ontologies/${encodeURIComponent(rid)}/audit?${parameters.toString()}`
    const next = await ask<AuditPage>(path).then(
      (page): Known => ({
        records: [...before.records, ...page.data],
        next: page.nextPageToken,
        kept: page.kept,
        failure: undefined,
      }),
      (error: unknown): Known => ({ ...before, failure: failureOf(error) }),
    )
    setKnown(next)
  }
  useEffect(() => {
    setKnown(undefined)
    if (role === 'owner') void readOn(nothing)
  }, [rid, role, type])
  return (
    <>
      <h2>Who read and changed what</h2>
      {role === 'owner' ? (
        known === undefined ? (
          <p class="faint">Reading…</p>
        ) : (
          <Records known={known} onMore={() => void readOn(known)} />
        )
      ) : (
        <p class="faint denied">The audit is for owners of the ontology. Your role is {role}.</p>
      )}
    </>
  )
}

function Records({ known, onMore }: { readonly known: Known; readonly onMore: () => void }) {
  const { records, next, kept, failure } = known
  if (failure?.name.endsWith('PermissionDenied') === true) {
    return (
      <p class="faint denied">
        The audit needs the scope <code>api:ontologies-admin</code>, which your token does not have.
      </p>
    )
  }
  if (!kept) {
    return (
      <p class="faint">
        This deployment keeps no audit that can be read here. <code>--audit-retention-days</code> sets for how
        many days it does.
      </p>
    )
  }
  return (
    <>
      {records.length > 0 && <RecordTable records={records} />}
      {records.length === 0 && failure === undefined && <p class="faint">Nothing is recorded yet.</p>}
      {failure !== undefined && <FailureView failure={failure} onRetry={onMore} />}
      {failure === undefined && next !== undefined && <button onClick={onMore}>Show older records</button>}
    </>
  )
}

const whatWasDone = ({ action, version, revision, role, principal, node }: AuditRecord): string =>
  [
    action,
    version !== undefined && `version ${version}`,
    revision !== undefined && `revision ${revision}`,
    role,
    principal !== undefined && `${principal.type} ${visibleText(principal.name)}`,
    node,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(' ')

const RecordTable = ({ records }: { readonly records: readonly AuditRecord[] }) => (
  <div class="table-scroll" tabIndex={0} role="region" aria-label="Audit">
    <table>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col" class="number">
            Objects
          </th>
          <th scope="col" class="number">
            Bytes
          </th>
        </tr>
      </thead>
      <tbody>
        {records.map((record, i) => (
          <tr key={i}>
            <td>{timeText(record.occurredAt)}</td>
            <td>
              <bdi>{visibleText(record.subject)}</bdi>
            </td>
            <td>
              {whatWasDone(record)}
              {record.mode === 'snapshot' && <span class="faint"> snapshot</span>}
            </td>
            <td class="number">{record.objectCount === undefined ? '' : numberText(record.objectCount)}</td>
            <td class="number">{record.byteCount === undefined ? '' : bytesText(record.byteCount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
