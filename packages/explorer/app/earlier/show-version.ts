// Shows the table in the state of a version: its snapshot token then stands in the address, like that of a state that was kept.
import { failureOf, octavo, type Failure } from '../service/api.ts'
import { go, view } from '../url/location.ts'

export interface NamedType {
  readonly family: string
  readonly type: string
}

let turns = 0

/** Returns why not, if the state is no longer kept. Of several that are asked for at once, the last is shown. */
export async function showVersion(
  { family, type }: NamedType,
  version: string,
): Promise<Failure | undefined> {
  const turn = (turns += 1)
  try {
    const { snapshotToken } = await octavo().family(family).snapshot([type], { version })
    // Going from one earlier state to another replaces the address, so that the back button leads straight to the present.
    if (turn === turns) go({ at: snapshotToken, shows: 'rows' }, { replaces: view.value.at !== undefined })
    return undefined
  } catch (error) {
    return failureOf(error)
  }
}
