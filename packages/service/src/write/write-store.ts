import type { CommitPreview, CommitReceipt, ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'
import type { ObjectType } from '../catalog/object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import type { Catalog } from '../catalog/open-catalog.ts'
import type { Loads } from './bulk/open-loads.ts'
import type { StagedLines, StagedRequest } from './commit/stage-commit.ts'
import type { CommitRequest } from './commit/write-commit.ts'

/** Looks at what is there, in the transaction that would change it, and refuses what does not suit it. */
export type Requires<What> = (before: What | undefined) => void

interface Applying<What> {
  /** The subject that the audit names; without it, no audit row is written. */
  readonly by?: string | undefined
  readonly requires?: Requires<What> | undefined
}

/** What the write path needs from the database. */
export interface WriteStore {
  readonly catalog: Catalog
  /** `madeBy` is the subject that owns a new ontology. */
  readonly applyOntology: (
    definition: OntologyDefinition,
    applying?: Applying<Ontology> & { readonly madeBy?: string },
  ) => Promise<Ontology>
  readonly applyObjectType: (
    ontology: Ontology,
    definition: ObjectTypeDefinition,
    applying?: Applying<ObjectType>,
  ) => Promise<ObjectType>
  /** Refuses what `applyObjectType` would refuse because of the stored objects. */
  readonly checkStoredObjects: (type: ObjectType, definition: ObjectTypeDefinition) => Promise<void>
  /** Finishes what an interrupted `applyObjectType` left undone, unless another process is doing it. */
  readonly finishAbandoned: (type: ObjectType) => Promise<void>
  /** The numbers of the object types whose counts are not known; `finishAbandoned` counts them. */
  readonly typesWithoutCounts: (ontology: Ontology) => Promise<ReadonlySet<number>>
  readonly commit: (request: CommitRequest) => Promise<CommitReceipt>
  readonly stage: (request: StagedRequest) => Promise<CommitReceipt>
  /** What `stage` would change; nothing is changed. */
  readonly preview: (lines: StagedLines) => Promise<CommitPreview>
  readonly loads: Loads
}
