// What one caller changes, each change observed once it has been made. Whoever writes for a caller does it through here.
import type { CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { StagedRequest } from '../commit/stage-commit.ts'
import type { ChangeMade, Observe } from '../observe/observation.ts'
import type { Store } from '../open-store.ts'

type Changes = Pick<Store, 'applyOntology' | 'applyObjectType' | 'commit' | 'stage'>

export interface AuditedChanges {
  readonly applyOntology: (definition: OntologyDefinition) => Promise<Ontology>
  readonly applyObjectType: (ontology: Ontology, definition: ObjectTypeDefinition) => Promise<ObjectType>
  readonly commit: (ontology: Ontology, request: Parameters<Store['commit']>[0]) => Promise<CommitReceipt>
  readonly stage: (ontology: Ontology, request: Parameters<Store['stage']>[0]) => Promise<CommitReceipt>
}

export function auditedChanges(store: Changes, subject: string, observe: Observe): AuditedChanges {
  const say = (change: Omit<ChangeMade, 'kind' | 'subject'>): void =>
    observe({ kind: 'change-made', subject, ...change })
  const committed = (ontology: Ontology, types: readonly ObjectType[], receipt: CommitReceipt) => {
    say({
      action: 'commit',
      ontologyRid: ontology.rid,
      objectType: types.map(({ apiName }) => apiName).join(','),
      target: receipt.version,
      objects: receipt.put + receipt.deleted,
      put: receipt.put,
      deleted: receipt.deleted,
    })
    return receipt
  }
  return {
    applyOntology: async (definition) => {
      const ontology = await store.applyOntology(definition, subject)
      say({ action: 'applyOntology', ontologyRid: ontology.rid })
      return ontology
    },
    applyObjectType: async (ontology, definition) => {
      const type = await store.applyObjectType(ontology, definition)
      say({
        action: 'applyObjectType',
        ontologyRid: ontology.rid,
        objectType: type.apiName,
        target: String(type.revision),
      })
      return type
    },
    commit: async (ontology, request) =>
      committed(
        ontology,
        request.parts.map(({ type }) => type),
        await store.commit(request),
      ),
    stage: async (ontology, request) => {
      const types = new Set<ObjectType>(request.replaces && [request.replaces])
      const receipt = await store.stage({ ...request, chunks: notingTypes(request.chunks, types) })
      return committed(ontology, [...types], receipt)
    },
  }
}

/** Which types a batch changes is known when it has been read. */
async function* notingTypes(chunks: StagedRequest['chunks'], types: Set<ObjectType>) {
  for await (const chunk of chunks) {
    types.add(chunk.type)
    yield chunk
  }
}
