// The changes of one caller. Each is recorded in the audit together with the change, and observed once it has been made. All
// code that writes for a caller goes through here.
import type { CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { FinishRequest } from './bulk/finish-load.ts'
import type { Loads } from './bulk/open-loads.ts'
import { stageCommit, type StagedRequest } from './commit/stage-commit.ts'
import { writeCommit, type CommitRequest, type CommitSources } from './commit/write-commit.ts'
import { applyObjectType, type ApplyingObjectType } from './define/apply-object-type.ts'
import { applyOntology, type ApplyingOntology } from './define/apply-ontology.ts'
import type { PreparingSources } from './define/finish-object-type.ts'
import type { ChangeMade, Observe } from '../observe/observation.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { OutcomeUnknown } from '../postgres/outcome-unknown.ts'
import { hasState } from '../postgres/sqlstate.ts'

interface Auditing {
  /** Whether changes are recorded in the audit tables; the log has them in any case. */
  readonly audits: boolean
  readonly observe: Observe
}

export interface ChangingService extends Auditing {
  readonly store: CommitSources & PreparingSources & { readonly loads: Loads }
}

export interface AuditedChanges {
  readonly applyOntology: (
    definition: OntologyDefinition,
    applying?: Omit<ApplyingOntology, 'by'>,
  ) => Promise<Ontology>
  readonly applyObjectType: (
    ontology: Ontology,
    definition: ObjectTypeDefinition,
    requires?: ApplyingObjectType['requires'],
  ) => Promise<ObjectType>
  readonly commit: (ontology: Ontology, request: Omit<CommitRequest, 'by'>) => Promise<CommitReceipt>
  readonly stage: (ontology: Ontology, request: Omit<StagedRequest, 'by'>) => Promise<CommitReceipt>
  readonly finishLoad: (ontology: Ontology, request: Omit<FinishRequest, 'by'>) => Promise<CommitReceipt>
}

export type Attempt = Pick<ChangeMade, 'subject' | 'action' | 'ontologyRid' | 'objectType' | 'details'>

/** If the connection was lost, it is not known whether the change was made: the audit then says so (P171). */
export async function notingUnknown<T>(
  observe: Observe,
  attempt: () => Attempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof OutcomeUnknown) observe({ kind: 'change-unknown', ...attempt() })
    throw error
  }
}

export function auditedChanges({ store, observe, audits }: ChangingService, subject: string): AuditedChanges {
  const by = audits ? subject : undefined
  const say = (change: Omit<ChangeMade, 'kind' | 'subject'>): void =>
    observe({ kind: 'change-made', subject, ...change })

  const committing = async (
    ontology: Ontology,
    types: Iterable<ObjectType>,
    commit: () => Promise<CommitReceipt>,
  ): Promise<CommitReceipt> => {
    const known = () =>
      ({
        action: 'commit',
        ontologyRid: ontology.rid,
        objectType: [...types].map(({ apiName }) => apiName).join(','),
      }) as const
    const receipt = await notingUnknown(
      observe,
      () => ({ subject, ...known() }),
      () => orGivenUp(commit),
    )
    // A replayed commit was made earlier and changes nothing now.
    if (receipt.replayed) return receipt
    say({
      ...known(),
      details: { version: receipt.version },
      objects: receipt.created + receipt.updated + receipt.deleted,
      created: receipt.created,
      updated: receipt.updated,
      deleted: receipt.deleted,
    })
    return receipt
  }

  return {
    applyOntology: async (definition, applying) => {
      const ontology = await notingUnknown(
        observe,
        () => ({ subject, action: 'applyOntology', details: { apiName: definition.apiName } }),
        () => applyOntology(store, definition, { ...applying, by }),
      )
      say({ action: 'applyOntology', ontologyRid: ontology.rid })
      return ontology
    },
    applyObjectType: async (ontology, definition, requires) => {
      const known = { action: 'applyObjectType', ontologyRid: ontology.rid } as const
      const type = await notingUnknown(
        observe,
        () => ({ subject, ...known, objectType: definition.apiName }),
        () => applyObjectType(store, ontology, { definition, by, requires }),
      )
      say({ ...known, objectType: type.apiName, details: { revision: type.revision } })
      return type
    },
    commit: (ontology, request) =>
      committing(
        ontology,
        request.parts.map(({ type }) => type),
        () => writeCommit(store, { ...request, by }),
      ),
    finishLoad: (ontology, request) =>
      committing(ontology, [request.type], () => store.loads.finish({ ...request, by })),
    stage: (ontology, request) => {
      const types = new Set<ObjectType>(request.replaces && [request.replaces])
      return committing(ontology, types, () =>
        stageCommit(store, { ...request, by, chunks: notingTypes(request.chunks, types) }),
      )
    },
  }
}

/** A statement that the database cancels leaves nothing of its transaction. */
async function orGivenUp<T>(commit: () => Promise<T>): Promise<T> {
  try {
    return await commit()
  } catch (error) {
    throw hasState(error, 'queryCanceled') ? new ServiceError('BatchTimedOut', {}, { cause: error }) : error
  }
}

/** Which types a batch changes is known only once it has been read. */
async function* notingTypes(chunks: StagedRequest['chunks'], types: Set<ObjectType>) {
  for await (const chunk of chunks) {
    types.add(chunk.type)
    yield chunk
  }
}
