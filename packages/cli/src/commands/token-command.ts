import type { AccessTokenRecord } from '@octavo/protocol'
import { scopes, type ScopeName } from '@octavo/protocol/vocabulary'
import type { Command } from 'commander'
import { durationIn, namesIn, scopeNames, scopesIn, subjectIn } from '../access/read-names.ts'
import { databaseOption, withAccess } from '../access/with-access.ts'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { wantsJson } from '../connection/connect.ts'
import { formatTable } from '../output/format-table.ts'
import { examples } from '../output/help-texts.ts'
import { jsonLine } from '../output/printed-value.ts'

interface CreateOptions {
  readonly subject: string
  readonly scope?: readonly ScopeName[]
  readonly group?: readonly string[]
  readonly expires?: number
  readonly description?: string
}

export function registerToken(program: Command, context: CommandContext): void {
  const { output } = context
  const token = program
    .command('token')
    .summary('create, list and revoke access tokens')
    .description('Manages access tokens, which programs send to authenticate.')
    .addHelpText('after', examples([['see how to use one of them', 'octavo token create --help']]))

  token
    .command('create')
    .summary('create an access token and show it once')
    .description('Creates an access token and shows it once: only a hash of it is stored.')
    .requiredOption('--subject <NAME>', 'the subject of the token, to whom grants are given', subjectIn)
    .option('--scope <SCOPE>', `what the token permits, may be repeated: ${scopeNames.join(', ')}`, scopesIn)
    .option('--group <NAME>', 'a group that the subject is in; may be repeated', namesIn)
    .option(
      '--expires <TIME>',
      'how long it is valid, such as 12h or 30d; without it, until revoked',
      durationIn,
    )
    .option('--description <TEXT>', 'a note on what it is for')
    .option(...databaseOption)
    .addHelpText(
      'after',
      examples([
        [
          'for a program that only reads',
          'octavo token create --subject report --scope api:ontologies-read \\\n      --expires 90d',
        ],
        [
          'on the database, where no token works',
          'octavo token create --database-url postgres://localhost/octavo \\\n      --subject admin --scope api:tokens-admin',
        ],
      ]),
    )
    .action(async (options: CreateOptions, command: Command) => {
      const { subject, scope: asked, group: groups, expires, description } = options
      if (asked === undefined)
        throw wrongUse(`--scope is missing: give at least one of ${scopeNames.join(', ')}.`)
      const expiresAt =
        expires === undefined ? undefined : secondsOf(new Date(context.now().getTime() + expires))
      const made = await withAccess(command, context, (door) =>
        door.createToken({
          subject,
          scopes: [...asked],
          ...(groups !== undefined && { groups: [...groups] }),
          ...(description !== undefined && { description }),
          ...(expiresAt !== undefined && { expiresAt }),
        }),
      )
      if (wantsJson(command)) return output.write(jsonLine(made))
      const end = made.expiresAt === undefined ? 'It does not expire.' : `It expires at ${made.expiresAt}.`
      output.note(`Created the access token ${made.accessTokenId} of ${subject}. ${end}
Save it now; it is not shown again:
`)
      // The token is alone on standard output, so that TOKEN=$(octavo token create ...) captures exactly the token.
      return output.write(`${made.accessToken}\n`)
    })

  token
    .command('list')
    .summary('list access tokens')
    .description(
      'Lists access tokens: their subjects, their scopes and when they expire. The tokens themselves are not stored.',
    )
    .option(...databaseOption)
    .addHelpText('after', examples([['', 'octavo token list']]))
    .action(async (_options: object, command: Command) => {
      const tokens = await withAccess(command, context, (door) => door.listTokens())
      if (wantsJson(command)) return output.write(tokens.map(jsonLine).join(''))
      return output.write(tokenTable(tokens, context))
    })

  token
    .command('revoke')
    .summary('revoke an access token')
    .description('Revokes an access token: within a second no instance of the service accepts it.')
    .argument('<ID>', 'the id that `octavo token list` shows')
    .option(...databaseOption)
    .addHelpText('after', examples([['', 'octavo token revoke 5b6f3a0e-7a53-4c0f-9f0e-3f1f0f3f8f11']]))
    .action(async (id: string, _options: object, command: Command) => {
      await withAccess(command, context, (door) => door.revokeToken(id))
      if (wantsJson(command)) return output.write(jsonLine({ accessTokenId: id, revoked: true }))
      return output.write(`The access token ${id} is revoked; within a second no instance accepts it.\n`)
    })
}

/** Whole seconds: the shortest form of a timestamp that the service accepts. */
const secondsOf = (moment: Date): string => `${moment.toISOString().slice(0, 19)}Z`

function tokenTable(tokens: readonly AccessTokenRecord[], { output, now }: CommandContext): string {
  const anyGroups = tokens.some(({ groups }) => groups.length > 0)
  const columns = [
    { title: 'ID', whole: true },
    { title: 'SUBJECT' },
    ...(anyGroups ? [{ title: 'GROUPS' }] : []),
    { title: 'SCOPES' },
    { title: 'EXPIRES' },
  ] as const
  const rows = tokens.map((token) => [
    token.accessTokenId,
    token.subject,
    ...(anyGroups ? [token.groups.join(' ')] : []),
    token.scopes.map(shortScope).join(' '),
    untilWhen(token, now()),
  ])
  return formatTable({ columns, rows }, { width: output.columns(), style: output.style })
}

/** `read` for `api:ontologies-read`, because a table is narrow. */
const shortScope = (name: string): string =>
  Object.entries(scopes).find(([, scope]) => scope.name === name)?.[0] ?? name

function untilWhen({ revokedAt, expiresAt }: AccessTokenRecord, now: Date): string {
  if (revokedAt !== undefined) return 'revoked'
  if (expiresAt === undefined) return 'never'
  return new Date(expiresAt) <= now ? 'expired' : expiresAt.slice(0, 10)
}
