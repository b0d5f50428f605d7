// Applies what a caller declares: an ontology, its object types. A dry run makes the same checks.
import type {
  AppliedObjectType,
  AppliedOntology,
  ManagedObjectType,
  ManagedOntology,
  ObjectTypeDefinition,
  OntologyDefinition,
  Rid,
} from '@octavo/protocol'
import { auditedChanges } from '../write/audited-changes.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { requireRole } from '../guard/auth/require-role.ts'
import { checkLinks } from '../write/define/check-links.ts'
import { checkObjectType } from '../write/define/check-object-type.ts'
import { definitionChanges } from '../write/define/definition-changes.ts'
import { findOntology } from '../catalog/find-object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import { bodyTag } from '../base/digest/body-tag.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { requirePrecondition, type Precondition } from '../base/precondition.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import { managedObjectType } from './managed-object-type.ts'
import { managedOntology } from './managed-ontology.ts'
import type { ManageService } from './manage-service.ts'

interface Declared<Definition> {
  readonly definition: Definition
  readonly dryRun: boolean
  readonly precondition: Precondition
}

/** The creator of an ontology becomes its owner; only an owner may change one. */
export async function putOntology(
  service: ManageService,
  caller: Caller,
  { definition, dryRun, precondition }: Declared<OntologyDefinition>,
): Promise<AppliedOntology> {
  const { access, store } = service
  const recheck = () => Promise.all([access.recheck(), store.catalog.recheck()])
  await recheck()
  const all = await store.catalog.ontologies()
  const before = all.find(({ apiName }) => apiName === definition.apiName)
  const role = before && (await access.roles(caller)).get(before.rid)
  // A caller without a grant may learn only that the name is taken.
  if (before !== undefined && role === undefined) throw taken(definition)
  if (role !== undefined) requireRole(role, 'owner')
  const requires = (ontology: Ontology | undefined) =>
    requirePrecondition(precondition, ontology && tagOf(managedOntology(ontology, 'owner')))
  requires(before)
  const others = all.filter((other) => other !== before)
  const families = new Set(others.flatMap(({ apiFamilies }) => apiFamilies))
  if (definition.apiFamilies?.some((family) => families.has(family))) throw taken(definition)

  const changes = before === undefined ? [] : definitionChanges(asDefinition(before), normal(definition))
  const outcome = before === undefined ? 'created' : changes.length === 0 ? 'unchanged' : 'updated'
  const known = { outcome, changes: [...changes] } as const
  if (dryRun || outcome === 'unchanged') return { ...known, ...(before && { rid: before.rid as Rid }) }
  const ontology = await auditedChanges(service, caller.subject).applyOntology(definition, requires)
  // So that its creator finds it in lists at once, at least on this instance.
  await recheck()
  return { ...known, rid: ontology.rid as Rid }
}

/** The `ETag` with which it is read. */
const tagOf = (shown: ManagedOntology | ManagedObjectType): string => bodyTag(JSON.stringify(shown))

const taken = ({ apiName }: OntologyDefinition): ServiceError =>
  new ServiceError('OntologyAlreadyExists', { apiName })

const asDefinition = ({ apiName, displayName, description, apiFamilies }: Ontology): OntologyDefinition =>
  normal({ apiName, displayName, description, apiFamilies: [...apiFamilies] })

/** The definition with its defaults filled in. */
const normal = ({ description = '', apiFamilies = [], ...rest }: OntologyDefinition): OntologyDefinition => ({
  ...rest,
  description,
  apiFamilies: apiFamilies.toSorted(),
})

export async function putObjectType(
  service: ManageService,
  caller: Caller,
  {
    ontologyRid,
    definition,
    dryRun,
    precondition,
  }: Declared<ObjectTypeDefinition> & { readonly ontologyRid: string },
): Promise<AppliedObjectType> {
  const { store } = service
  const ontology = await findOntology(service, caller, { kind: 'rid', ontologyRid }, 'owner')
  // Read again: the cached type may be older than the one that the definition will be compared with.
  const types = await store.catalog.objectTypes(ontology)
  const before = types.find(({ apiName }) => apiName === definition.apiName)
  const requires = (type: ObjectType | undefined) =>
    requirePrecondition(precondition, type && tagOf(managedObjectType(type)))
  requires(before)
  const { outcome, changes } = checkObjectType(before, definition)
  const known = { outcome, changes: [...changes] }
  if (dryRun) {
    checkLinks(
      definition,
      types.map((type) => type.definition),
      { isDryRun: true },
    )
    if (before !== undefined) await store.checkStoredObjects(before, definition)
    return { ...known, ...(before && { revision: before.revision }) }
  }
  const { revision } = await auditedChanges(service, caller.subject).applyObjectType(
    ontology,
    definition,
    requires,
  )
  return { ...known, revision }
}
