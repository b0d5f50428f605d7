import { setTimeout as sleep } from 'node:timers/promises'
import type { ManagedOntology } from '@octavo/protocol'
import { wrongUse, type CliError } from '../base/cli-error.ts'
import { didYouMean } from '../base/did-you-mean.ts'
import type { Connection } from './connection.ts'
import { requestPath } from './request-path.ts'

/** Sorted by name: the service orders them by rid, which means nothing to a person. */
export async function visibleOntologies(connection: Connection): Promise<readonly ManagedOntology[]> {
  const visible = await connection.allItems<ManagedOntology>({ path: requestPath`/manage/v1/ontologies` })
  return visible.toSorted((a, b) => (a.apiName < b.apiName ? -1 : 1))
}

/** For this long an instance of the service may cache that the ontology does not exist. */
const rememberedMs = 1_500

/** The ontology with this API name or rid; if none is given, the only one there is. */
export async function findOntology(
  connection: Connection,
  wanted: string | undefined,
): Promise<ManagedOntology> {
  const find = async () => {
    const visible = await visibleOntologies(connection)
    const fitting = visible.filter(
      ({ rid, apiName }) => wanted === undefined || rid === wanted || apiName === wanted,
    )
    return { visible, fitting }
  }
  let { visible, fitting } = await find()
  if (fitting.length === 0) {
    await sleep(rememberedMs)
    ;({ visible, fitting } = await find())
  }
  const [only, ...others] = fitting
  if (only !== undefined && others.length === 0) return only
  throw notOne(visible, wanted)
}

function notOne(visible: readonly ManagedOntology[], wanted: string | undefined): CliError {
  const names = visible.map(({ apiName }) => apiName).join(', ')
  if (visible.length === 0) {
    const missing = wanted === undefined ? '' : `There is no ontology ${wanted} that you can see. `
    return wrongUse(
      `${missing}You have no grant on any ontology: ask an owner for a grant, or create an ontology with octavo apply.`,
    )
  }
  return wrongUse(
    wanted === undefined
      ? `Choose an ontology with --ontology or OCTAVO_ONTOLOGY: you can see ${names}.`
      : `There is no ontology ${wanted} that you can see${didYouMean(
          wanted,
          visible.map(({ apiName }) => apiName),
        )} You can see ${names}.`,
  )
}
