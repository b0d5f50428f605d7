// `octavo verify`: compares a copy with the service, and its rows with what was copied.
import { createClient } from '@octavo/client'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { exitCodes } from '../base/exit-codes.ts'
import type { ConnectedOntology } from '../connection/connect.ts'
import { amountText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { showProgress } from '../progress/progress.ts'
import { readStates } from './copy-state.ts'
import { explainCopy, syncCommand } from './explain-copy.ts'
import { openCopy } from './open-copy.ts'
import type { CopyTarget } from './to-option.ts'
import { countRows, factsOfService, problemsOf, type VerifiedType } from './verify-type.ts'

export interface VerifyOptions {
  readonly target: CopyTarget
  readonly family: string
  readonly token: string
  readonly json: boolean
}

export async function runVerify(
  context: CommandContext,
  { connection, ontology }: ConnectedOntology,
  { target, family, token, json }: VerifyOptions,
): Promise<void> {
  const { output, stopAsked } = context
  const to = target.name
  const command = { target, objectTypes: ['TYPE'] }
  const database = await openCopy(target, context, { mustExist: true }).catch((error: unknown) => {
    throw explainCopy(error, command)
  })
  const client = createClient({ url: connection.url, token, fetch: context.fetch })
  const progress = showProgress(output, () => `reading the rows of ${to}`)
  let verified: readonly VerifiedType[]
  try {
    const counted = await database.reading(async (statements) => {
      const states = await readStates(statements, database.dialect)
      if (states === undefined || states.length === 0) {
        throw wrongUse(`${to} has no copy: make one with octavo sync TYPE --to ${to}.`)
      }
      const all = []
      for (const state of states) {
        all.push({ state, counted: await countRows(statements, database.dialect, state) })
      }
      return all
    })
    const other = counted.find(({ state }) => state.ontologyRid !== ontology.rid)
    if (other !== undefined) {
      throw wrongUse(
        `${to} has a copy of ${other.state.type.apiName} from another ontology than ${ontology.apiName}: choose the right one with --ontology.`,
      )
    }
    verified = await Promise.all(
      counted.map(async (each) => ({
        ...each,
        service: await factsOfService(client, family, each.state, stopAsked),
      })),
    )
  } catch (error) {
    throw explainCopy(error, command)
  } finally {
    progress.stop()
    await database.close()
  }
  for (const each of verified) await output.write(json ? jsonOf(each) : textOf(each))
  const wrong = verified.filter((each) => problemsOf(each).length > 0)
  if (wrong.length === 0) return
  const objectTypes = wrong.map(({ state }) => state.type.apiName)
  throw new CliError(
    `The copy in ${to} is not what the service has: ${objectTypes.join(', ')}.`,
    exitCodes.failed,
    {
      hint: `To read everything again, beside the copy, and replace it when the new one is whole:\n${syncCommand({ target, objectTypes }, '--restart')}`,
    },
  )
}

function textOf(verified: VerifiedType): string {
  const { state, service } = verified
  const problems = problemsOf(verified)
  const at = `${state.type.apiName} at version ${state.version}`
  if (problems.length > 0) return `${at} is wrong. ${problems.join(' ')}\n`
  const objects = amountText(String(state.objects), 'object')
  if (service.kind === 'forgotten') {
    return `${at} is what was copied: ${objects}, as recorded. It cannot be compared with the service: ${service.because}.\n`
  }
  if (service.checksum !== undefined) return `${at} is what the service has: ${objects}, checksum equal.\n`
  return service.objects === undefined
    ? `${at} is what was copied: ${objects}, as recorded. The service gives you neither a count nor a checksum to compare.\n`
    : `${at} has as many objects as the service, ${objects}, as recorded. The service gives you no checksum to compare.\n`
}

function jsonOf(verified: VerifiedType): string {
  const { state, counted, service } = verified
  const problems = problemsOf(verified)
  return jsonLine({
    objectType: state.type.apiName,
    version: state.version,
    equal: problems.length === 0,
    objectCount: counted === undefined ? undefined : Number(counted.objects),
    checksum: counted?.checksum,
    changed: counted?.changed,
    service:
      service.kind === 'known'
        ? {
            objectCount: service.objects === undefined ? undefined : Number(service.objects),
            checksum: service.checksum,
          }
        : undefined,
    notCompared: service.kind === 'forgotten' ? service.because : undefined,
    problems,
  })
}
