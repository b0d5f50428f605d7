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
import { apiFamilyPattern, limits } from '@octavo/protocol'
import { auditedChanges } from '../write/audited-changes.ts'
import type { Caller } from '../guard/auth/caller.ts'
import { requireRole } from '../guard/auth/require-role.ts'
import { requireFreeFamilies } from '../write/define/apply-ontology.ts'
import { checkLinks } from '../write/define/check-links.ts'
import { checkObjectType } from '../write/define/check-object-type.ts'
import { checkStoredObjects } from '../write/define/check-stored-objects.ts'
import { definitionChanges } from '../write/define/definition-changes.ts'
import { findOntology } from '../catalog/find-object-type.ts'
import type { Ontology } from '../catalog/ontology.ts'
import { bodyTag } from '../base/digest/body-tag.ts'
import { ServiceError } from '../base/errors/service-error.ts'
import { requirePrecondition, type Precondition } from '../base/precondition.ts'
import type { ObjectType } from '../catalog/object-type.ts'
import { addGrant } from './grants.ts'
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
  {
    named,
    definition: declared,
    dryRun,
    precondition,
  }: Declared<OntologyDefinition> & {
    /** The rid or the API name in the path. */
    readonly named: string
  },
): Promise<AppliedOntology> {
  const { access, store } = service
  await requireName(service, caller, { named, apiName: declared.apiName })
  const definition = withFamily(declared)
  const recheck = () => Promise.all([access.recheck(), store.catalog.recheck()])
  await recheck()
  const all = await store.catalog.ontologies()
  const before = all.find(({ apiName }) => apiName === definition.apiName)
  const role = before && (await access.roles(caller)).get(before.rid)
  // A caller without a grant may learn only that the name is taken.
  if (before !== undefined && role === undefined)
    throw new ServiceError('OntologyAlreadyExists', { apiName: definition.apiName })
  if (role !== undefined) requireRole(role, 'owner')
  const requires = (ontology: Ontology | undefined) =>
    requirePrecondition(precondition, ontology && tagOf(managedOntology(ontology, 'owner')))
  requires(before)
  requireFreeFamilies(
    definition,
    all.filter((other) => other !== before),
  )

  const changes = before === undefined ? [] : definitionChanges(asDefinition(before), normal(definition))
  const outcome = before === undefined ? 'created' : changes.length === 0 ? 'unchanged' : 'updated'
  const known = { outcome, changes: [...changes] } as const
  if (dryRun || outcome === 'unchanged') return { ...known, ...(before && { rid: before.rid as Rid }) }
  const ontology = await auditedChanges(service, caller.subject).applyOntology(definition, {
    requires,
    giveOwner: (transaction, rid) =>
      addGrant(transaction, rid, { principal: { type: 'subject', name: caller.subject }, role: 'owner' }),
  })
  // So that its creator finds it in lists at once, at least on this instance.
  await recheck()
  return { ...known, rid: ontology.rid as Rid }
}

async function requireName(
  service: ManageService,
  caller: Caller,
  { named, apiName }: { readonly named: string; readonly apiName: string },
): Promise<void> {
  const isRid = named.startsWith('ri.')
  const name = isRid
    ? (await findOntology(service, caller, { kind: 'ontology', ontology: named }, 'owner')).apiName
    : named
  if (name === apiName) return
  const problem = `it must be ${name}, ${isRid ? 'which is the name of the ontology' : 'as in the path'}`
  throw new ServiceError('InvalidDefinition', { problems: [{ path: '/apiName', problem }] })
}

const isFamily = new RegExp(apiFamilyPattern)

/** Without an API family, revision 2.0 would have no address for the ontology. */
function withFamily(definition: OntologyDefinition) {
  const { apiName, apiFamilies = [] } = definition
  if (apiFamilies.length > 0) return { ...definition, apiFamilies }
  const family = apiName.toLowerCase()
  if (!isFamily.test(family) || family.length > limits.definition.familyCharacters) {
    const problem = `name one, such as ["my-family"], because ${apiName} cannot be one: an API family has at most ${limits.definition.familyCharacters} lower-case letters, digits and -, begins with a letter and is not v1, v2 ...`
    throw new ServiceError('InvalidDefinition', { problems: [{ path: '/apiFamilies', problem }] })
  }
  return { ...definition, apiFamilies: [family] }
}

/** The `ETag` with which it is read. */
const tagOf = (shown: ManagedOntology | ManagedObjectType): string => bodyTag(JSON.stringify(shown))

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
    ontology: named,
    definition,
    dryRun,
    precondition,
  }: Declared<ObjectTypeDefinition> & { readonly ontology: string },
): Promise<AppliedObjectType> {
  const { store } = service
  const ontology = await findOntology(service, caller, { kind: 'ontology', ontology: named }, 'owner')
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
    if (before !== undefined)
      await checkStoredObjects(store.database.holding(before.schema), before, definition)
    return { ...known, ...(before && { revision: before.revision }) }
  }
  const { revision } = await auditedChanges(service, caller.subject).applyObjectType(
    ontology,
    definition,
    requires,
  )
  return { ...known, revision }
}
