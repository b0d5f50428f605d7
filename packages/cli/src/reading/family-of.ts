import type { ManagedOntology } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'

/** The API family through which whole types are read. */
export function familyOf({ apiFamilies, apiName }: ManagedOntology): string {
  const [family] = apiFamilies
  if (family !== undefined) return family
  throw wrongUse(
    `The ontology ${apiName} has no API family, which is needed to read a whole type. Add one to its definition, for example apiFamilies: [${apiName.toLowerCase()}], and run octavo apply.`,
  )
}
