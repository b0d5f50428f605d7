import { randomUUID } from 'node:crypto'
import type { CommitReceipt, ObjectTypeDefinition } from '@octavo/protocol'
import { headers, mediaTypes } from '@octavo/protocol/vocabulary'
import type { Command } from 'commander'
import { CliError, wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { isConfirmed } from '../base/is-confirmed.ts'
import { connectToOntology, wantsJson } from '../connection/connect.ts'
import { findObjectType } from '../connection/object-types.ts'
import { requestPath } from '../connection/request-path.ts'
import { examples } from '../output/help-texts.ts'
import { amountText, countText } from '../output/numbers.ts'
import { jsonLine } from '../output/printed-value.ts'
import { openObjectSource } from '../reading/open-source.ts'
import { missingKeys } from '../reading/missing-keys.ts'

const mostKeys = 1_000

export function registerDelete(program: Command, context: CommandContext): void {
  const { output } = context
  program
    .command('delete')
    .argument('<TYPE>', 'API name of the object type')
    .argument('<KEY...>', 'the primary keys of the objects')
    .summary('delete objects by their keys')
    .description(
      'Deletes the objects with these primary keys, in one version. Asks for confirmation in a terminal. A key that does not exist is reported, and is no error.',
    )
    .option('-y, --yes', 'do not ask for confirmation; needed if there is no terminal')
    .addHelpText(
      'after',
      examples([
        ['', 'octavo delete employee 1001 1002'],
        ['in a script', 'octavo delete employee 1001 --yes'],
      ]),
    )
    .action(async (type: string, given: readonly string[], options: { yes?: true }, command: Command) => {
      const keys = [...new Set(given)]
      refuseTooMany(keys, type)
      const { connection, ontology } = await connectToOntology(command, context)
      const { definition } = await findObjectType(connection, ontology, type, keys)
      const body = deleteLines(keys, definition)
      const missing = await missingKeys(await openObjectSource(command, context, type), keys)
      const there = keys.length - missing.length
      const sendConfirmed = async () => {
        await confirm(context, options, `${amountText(there, 'object')} of ${type}`)
        return connection.json<CommitReceipt>({
          method: 'POST',
          path: requestPath`/manage/v1/ontologies/${ontology.rid}/objectTypes/${type}/batches`,
          headers: { 'content-type': mediaTypes.ndjson, [headers.idempotencyKey]: randomUUID() },
          body,
        })
      }
      // A batch that deletes nothing would still be a version.
      const receipt = there === 0 ? { deleted: 0 } : await sendConfirmed()
      const { deleted, version }: Pick<CommitReceipt, 'deleted'> & Partial<CommitReceipt> = receipt
      if (wantsJson(command)) return output.write(jsonLine({ objectType: type, deleted, missing, version }))
      await output.write(
        `Deleted ${amountText(deleted, 'object')} of ${type}${version === undefined ? '' : `; version ${version}`}.\n`,
      )
      if (missing.length > 0) output.note(missingText(type, missing))
    })
}

async function confirm(context: CommandContext, { yes }: { yes?: true }, what: string): Promise<void> {
  if (yes) return
  if (!context.input.isTerminal) throw wrongUse(`Nothing was deleted: to delete ${what}, add --yes.`)
  if (!(await isConfirmed(context, `Delete ${what}?`))) throw new CliError('Nothing was deleted.')
}

function refuseTooMany(keys: readonly string[], type: string): void {
  if (keys.length <= mostKeys) return
  throw wrongUse(
    `octavo delete takes at most ${countText(mostKeys)} keys, not ${countText(keys.length)}. To delete many objects, export those that stay and use octavo replace ${type} FILE, or send delete lines to the batches endpoint (docs/load/loading.md).`,
  )
}

/** An integer key is a JSON number; every other key is a string. */
function deleteLines(
  keys: readonly string[],
  { apiName, primaryKey, properties }: ObjectTypeDefinition,
): string {
  const isInteger = properties[primaryKey]?.type === 'integer'
  return keys
    .map((key) => {
      if (isInteger && !/^-?\d{1,10}$/.test(key)) {
        throw wrongUse(`The keys of ${apiName} are whole numbers, and ${key} is none: check the key.`)
      }
      return jsonLine({ type: 'delete', primaryKey: isInteger ? Number(key) : key })
    })
    .join('')
}

const mostNamed = 20

function missingText(type: string, missing: readonly string[]): string {
  const more = missing.length > mostNamed ? `, and ${countText(missing.length - mostNamed)} more` : ''
  const named = missing.slice(0, mostNamed).join(', ') + more
  return `There was no ${type} with the ${missing.length === 1 ? 'key' : 'keys'} ${named} that you can see.\n`
}
