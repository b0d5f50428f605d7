// `token ...` and `grant ...`: what an operator does about access, on the database itself.
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { grantRoles, rightOfScope, scopes, type GrantRole } from '@octavo/protocol'
import { recordOperation, type Operation } from '../audit/record-operation.ts'
import { randomUuid } from '../auth/random.ts'
import type { Database, Reader } from '../postgres/database.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'
import { addGrant, listGrants, removeGrant, type Principal } from './grants.ts'
import { readDuration } from './read-duration.ts'

/** A command that was not understood, or that has nothing to work on. Its message says what to do. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

interface Running {
  readonly database: Database
  readonly now: () => Date
}

export interface Command {
  /** Runs once there is a database; gives what is printed. */
  readonly run: (running: Running) => Promise<string>
}

const usage = `Usage: octavo-service token create --subject NAME --scope SCOPE ... [--group NAME ...] [--expires 30d] [--description TEXT]
       octavo-service token list
       octavo-service token revoke ID
       octavo-service grant add --ontology RID|API-NAME (--subject NAME | --group NAME) --role ${grantRoles.join('|')}
       octavo-service grant list
       octavo-service grant remove --ontology RID|API-NAME (--subject NAME | --group NAME)`

/** Reads the words after the name of the program; refuses them before anything is touched. */
export function readAccessCommand(words: readonly string[]): Command {
  const [noun = '', verb = '', ...rest] = words
  const read = commands[`${noun} ${verb}`]
  if (read === undefined) throw new CommandRefused(`There is no such command.\n${usage}`)
  return read(rest)
}

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const

const commands: Readonly<Record<string, (words: readonly string[]) => Command>> = {
  'token create': (words) => {
    const { values } = parse(words, {
      options: { subject: text, scope: texts, group: texts, expires: text, description: text },
    })
    const subject = nameIn(values['subject'], '--subject')
    const groups = listIn(values['group']).map((group) => nameIn(group, '--group'))
    const asked = [...new Set(listIn(values['scope']).map(scopeIn))]
    if (asked.length === 0)
      throw new CommandRefused(`--scope is missing: give at least one of ${scopeNames}.`)
    const expires = textIn(values['expires'])
    const lifeMs = expires === undefined ? undefined : readDuration(expires)
    if (expires !== undefined && lifeMs === undefined) {
      throw new CommandRefused(`--expires must be a number and a unit, such as 12h or 30d, not "${expires}".`)
    }
    const description = textIn(values['description'])
    return {
      run: async ({ database, now }) => {
        const expiresAt = lifeMs === undefined ? undefined : new Date(now().getTime() + lifeMs).toISOString()
        const request = {
          subject,
          groups,
          scopes: asked,
          ...(description !== undefined && { description }),
          ...(expiresAt !== undefined && { expiresAt }),
        }
        const { accessToken, accessTokenId } = await database.transaction(async (transaction) => {
          const made = await createAccessToken(transaction, request, { now, randomUuid })
          await audit(transaction, now, { action: 'createAccessToken', target: made.accessTokenId })
          return made
        })
        const end = expiresAt === undefined ? 'It does not expire.' : `It expires at ${expiresAt}.`
        return `Made the access token ${accessTokenId} of ${subject}. ${end}
Keep it now, it is not shown again:
${accessToken}`
      },
    }
  },
  'token list': (words) => {
    parse(words, {})
    return {
      run: async ({ database }) =>
        asTable([
          ['id', 'subject', 'groups', 'scopes', 'created', 'expires', 'revoked', 'description'],
          ...(await listAccessTokens(database)).map((token) => [
            token.accessTokenId,
            token.subject,
            token.groups.join(','),
            token.scopes.join(','),
            token.createdAt,
            token.expiresAt ?? 'never',
            token.revokedAt ?? '',
            token.description ?? '',
          ]),
        ]),
    }
  },
  'token revoke': (words) => {
    const { positionals } = parse(words, { allowPositionals: true })
    const [id, ...others] = positionals
    if (id === undefined || others.length > 0) {
      throw new CommandRefused('Name one token by the id that `token list` shows.')
    }
    return {
      run: async ({ database, now }) => {
        const revoked = await database.transaction(async (transaction) => {
          const found = await revokeAccessToken(transaction, id, now())
          if (found === undefined) {
            throw new CommandRefused(`There is no access token with the id ${id}: see \`token list\`.`)
          }
          await audit(transaction, now, { action: 'revokeAccessToken', target: id })
          return found
        })
        return `The access token ${id} of ${revoked.subject} is revoked; within a second no instance accepts it.`
      },
    }
  },
  'grant add': (words) => {
    const { values } = parse(words, { options: { ontology: text, subject: text, group: text, role: text } })
    const principal = principalIn(values)
    const ontology = nameIn(values['ontology'], '--ontology')
    const role: GrantRole | undefined = grantRoles.find((role) => role === values['role'])
    if (role === undefined) throw new CommandRefused(`--role must be one of ${grantRoles.join(', ')}.`)
    return {
      run: async ({ database, now }) => {
        const ontologyRid = await ridOf(database, ontology)
        await database.transaction(async (transaction) => {
          await addGrant(transaction, ontologyRid, { principal, role })
          const target = `${role} ${principal.type} ${principal.name}`
          await audit(transaction, now, { action: 'addGrant', ontologyRid, target })
        })
        return `The ${principal.type} ${principal.name} is now ${role} of ${ontology}.`
      },
    }
  },
  'grant list': (words) => {
    parse(words, {})
    return {
      run: async ({ database }) =>
        asTable([
          ['ontology', 'rid', 'kind', 'name', 'role'],
          ...(await listGrants(database)).map((grant) => [
            grant.ontology,
            grant.ontologyRid,
            grant.principalType,
            grant.principalName,
            grant.role,
          ]),
        ]),
    }
  },
  'grant remove': (words) => {
    const { values } = parse(words, { options: { ontology: text, subject: text, group: text } })
    const principal = principalIn(values)
    const ontology = nameIn(values['ontology'], '--ontology')
    return {
      run: async ({ database, now }) => {
        const ontologyRid = await ridOf(database, ontology)
        await database.transaction(async (transaction) => {
          if (!(await removeGrant(transaction, ontologyRid, principal))) {
            throw new CommandRefused(
              `The ${principal.type} ${principal.name} has no grant on ${ontology}: see \`grant list\`.`,
            )
          }
          const target = `${principal.type} ${principal.name}`
          await audit(transaction, now, { action: 'removeGrant', ontologyRid, target })
        })
        return `The ${principal.type} ${principal.name} has no grant on ${ontology} any more; within a second no instance serves it.`
      },
    }
  },
}

const audit = (transaction: Reader, now: () => Date, change: Omit<Operation, 'id' | 'now'>): Promise<void> =>
  recordOperation(transaction, { id: randomUuid(), now: now(), ...change })

type Values = Readonly<Record<string, unknown>>

function parse(words: readonly string[], config: ParseArgsConfig) {
  try {
    const { values, positionals } = parseArgs({ ...config, args: [...words] })
    return { values: values as Values, positionals: positionals as readonly string[] }
  } catch (error) {
    throw new CommandRefused(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const listIn = (value: unknown): readonly string[] => [value ?? []].flat().map(String)

/** As an identity provider may name somebody: see auth/verify-jwt.ts. */
function nameIn(value: unknown, flag: string): string {
  if (typeof value === 'string' && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(value)) return value
  throw new CommandRefused(`${flag} must be given once, with a name of 1 to 255 characters.`)
}

const scopeNames = Object.values(scopes)
  .map(({ name }) => name)
  .join(', ')

function scopeIn(given: string) {
  const right = rightOfScope(given)
  if (right === undefined) throw new CommandRefused(`${given} is no scope: give some of ${scopeNames}.`)
  return scopes[right].name
}

function principalIn({ subject, group }: Values): Principal {
  if ((subject === undefined) === (group === undefined)) {
    throw new CommandRefused('Name who it is for: either --subject or --group.')
  }
  return subject === undefined
    ? { type: 'group', name: nameIn(group, '--group') }
    : { type: 'subject', name: nameIn(subject, '--subject') }
}

async function ridOf(database: Database, ontology: string): Promise<string> {
  const rows = await database.rows({
    text: 'select rid from octavo.ontologies where rid = $1 or api_name = $1',
    values: [ontology],
  })
  const rid = rows[0]?.['rid']
  if (rid == null) throw new CommandRefused(`There is no ontology ${ontology}: give its rid or its API name.`)
  return rid
}

const asTable = (rows: readonly (readonly string[])[]): string => rows.map((row) => row.join('\t')).join('\n')
