import { grantRoles, type GrantRole } from '@octavo/protocol/vocabulary'
import type { Command } from 'commander'
import { nameIn, principalIn, roleIn, type PrincipalFlags } from '../access/read-names.ts'
import { databaseOption, withAccess } from '../access/with-access.ts'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { formatTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'

export function registerGrant(program: Command, context: CommandContext): void {
  const { output } = context
  const grant = program
    .command('grant')
    .summary('manage who may read and write which ontology')
    .description(
      `Manages grants: which subject or group has which role on an ontology (${grantRoles.join(', ')}).`,
    )
    .addHelpText('after', examples([['see how to use one of them', 'octavo grant add --help']]))

  withPrincipal(grant.command('add'))
    .summary('give a role on an ontology')
    .description('Gives a subject or a group a role on the ontology, replacing the role it had.')
    .requiredOption(
      '--role <ROLE>',
      `one of ${grantRoles.join(', ')}; each includes the ones before it`,
      roleIn,
    )
    .addHelpText(
      'after',
      examples([
        ['', 'octavo grant add --ontology library --subject nightly-report --role reader'],
        ['', 'octavo grant add --ontology library --group librarians --role writer'],
      ]),
    )
    .action(async (options: PrincipalFlags & { readonly role: GrantRole }, command: Command) => {
      const principal = principalIn(options)
      const { role } = options
      const made = await withAccess(command, context, (door, ontology) =>
        door.addGrant(ontology, { principal, role }),
      )
      if (wantsJson(command)) return output.write(jsonLine(made))
      return output.write(`The ${principal.type} ${principal.name} is now ${role} of ${made.ontology}.\n`)
    })

  grant
    .command('list')
    .summary('list grants')
    .description('Lists the grants on the given ontology, or on all that you own.')
    .option(...databaseOption)
    .addHelpText('after', examples([['', 'octavo grant list --ontology library']]))
    .action(async (_options: object, command: Command) => {
      const grants = await withAccess(command, context, (door, ontology) => door.listGrants(ontology))
      if (wantsJson(command)) return output.write(grants.map(jsonLine).join(''))
      const columns = [{ title: 'ONTOLOGY' }, { title: 'WHO' }, { title: 'NAME' }, { title: 'ROLE' }]
      const rows = grants.map(({ ontology, principal, role }) => [
        ontology,
        principal.type,
        principal.name,
        role,
      ])
      return output.write(formatTable({ columns, rows }, { width: output.columns(), style: output.style }))
    })

  withPrincipal(grant.command('remove'))
    .summary('remove a role on an ontology')
    .description('Removes a role: within a second no instance of the service honours it.')
    .addHelpText('after', examples([['', 'octavo grant remove --ontology library --group librarians']]))
    .action(async (options: PrincipalFlags, command: Command) => {
      const principal = principalIn(options)
      const ontology = await withAccess(command, context, (door, ontology) =>
        door.removeGrant(ontology, principal),
      )
      if (wantsJson(command)) return output.write(jsonLine({ ontology, principal, removed: true }))
      return output.write(
        `The ${principal.type} ${principal.name} has no grant on ${ontology} any more; within a second no instance honours it.\n`,
      )
    })
}

const withPrincipal = (command: Command): Command =>
  command
    .option('--subject <NAME>', 'the subject, as its tokens name it', nameIn)
    .option('--group <NAME>', 'the group, as tokens name it', nameIn)
    .option(...databaseOption)
