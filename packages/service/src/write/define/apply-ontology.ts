import type { OntologyDefinition } from '@octavo/protocol'
import { recordChange } from '../../audit/record-change.ts'
import { ServiceError } from '../../base/errors/service-error.ts'
import type { Transaction } from '../../postgres/database.ts'
import { newTag, type CatalogSources } from '../../catalog/catalog-sources.ts'
import { createOntologyTables, newestLayout } from '../../catalog/ontology-tables.ts'
import type { Ontology } from '../../catalog/ontology.ts'
import { readRegistry } from '../../catalog/read-registry.ts'

export interface ApplyingOntology {
  /** Runs in the same transaction, so that no ontology is ever without a principal that can manage it. */
  readonly giveOwner?: ((transaction: Transaction, ontologyRid: string) => Promise<unknown>) | undefined
  /** The subject that the audit names; without one, no audit row is written. */
  readonly by?: string | undefined
  /** Throws if the caller does not want this ontology to be changed: it has a precondition, such as `If-Match`. */
  readonly requires?: ((before: Ontology | undefined) => void) | undefined
}

/**
 * Creates the ontology and makes its creator the owner, or changes its texts and API families. Applying the same definition
 * again changes nothing.
 */
export async function applyOntology(
  sources: CatalogSources,
  definition: OntologyDefinition,
  { giveOwner, by, requires }: ApplyingOntology = {},
): Promise<Ontology> {
  const { database, randomHex, randomUuid } = sources
  return database.transaction(async (transaction) => {
    // Changes of the registry queue here, so that the statements below see all earlier changes.
    await transaction.rows({
      text: 'update octavo.registry_version set version = version + 1, tag = $1 returning version',
      values: [newTag(sources)],
    })
    const { ontologies } = await readRegistry(transaction)
    const existing = ontologies.find((ontology) => ontology.apiName === definition.apiName)
    requires?.(existing)
    requireFreeFamilies(
      definition,
      ontologies.filter((ontology) => ontology !== existing),
    )

    const ontology: Ontology = {
      rid: existing?.rid ?? `ri.ontology.main.ontology.${randomUuid()}`,
      apiName: definition.apiName,
      displayName: definition.displayName,
      description: definition.description ?? '',
      schema: existing?.schema ?? `octavo_${randomHex(8)}`,
      apiFamilies: (definition.apiFamilies ?? []).toSorted(),
    }
    await saveOntology(transaction, ontology)
    if (existing === undefined) {
      for (const statement of createOntologyTables(ontology.schema)) await transaction.run(statement)
      await giveOwner?.(transaction, ontology.rid)
    }
    if (by !== undefined) {
      await recordChange(transaction, {
        id: randomHex(16),
        now: sources.now(),
        subject: by,
        action: 'applyOntology',
        ontologyRid: ontology.rid,
      })
    }
    return ontology
  })
}

/** An API family belongs to one ontology. */
export function requireFreeFamilies(
  { apiFamilies = [] }: OntologyDefinition,
  others: readonly Ontology[],
): void {
  const families = new Set(others.flatMap((other) => other.apiFamilies))
  const taken = apiFamilies.find((family) => families.has(family))
  if (taken === undefined) return
  const problem = `${taken} belongs to another ontology: name another one, such as ["${taken}-2"]`
  throw new ServiceError('InvalidDefinition', { problems: [{ path: '/apiFamilies', problem }] })
}

async function saveOntology(transaction: Transaction, ontology: Ontology): Promise<void> {
  await transaction.rows({
    text: `insert into octavo.ontologies (rid, api_name, display_name, description, schema_name, layout)
values ($1, $2, $3, $4, $5, $6)
on conflict (rid) do update set display_name = excluded.display_name, description = excluded.description`,
    values: [
      ontology.rid,
      ontology.apiName,
      ontology.displayName,
      ontology.description,
      ontology.schema,
      newestLayout(),
    ],
  })
  await transaction.rows({
    text: 'delete from octavo.api_families where ontology_rid = $1',
    values: [ontology.rid],
  })
  await transaction.rows({
    text: 'insert into octavo.api_families (name, ontology_rid) select name, $1 from unnest($2::text[]) as given(name)',
    values: [ontology.rid, ontology.apiFamilies],
  })
}
