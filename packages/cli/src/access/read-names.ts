import { grantRoles, rightOfScope, scopes, type GrantRole, type ScopeName } from '@octavo/protocol/vocabulary'
import { InvalidArgumentError } from 'commander'
import { wrongUse } from '../base/cli-error.ts'
import type { Principal } from './access-door.ts'
import { readDuration } from './read-duration.ts'

export const scopeNames = Object.values(scopes).map(({ name }) => name)

/** A name of a user or group, as an identity provider may write it. */
export function nameIn(text: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text)) return text
  throw new InvalidArgumentError('It must be a name of 1 to 255 characters, without control characters.')
}

/** The audit log uses `operator` for changes made directly on the database, so no subject may have that name. */
export function subjectIn(text: string): string {
  if (text.normalize('NFKC').trim().toLowerCase() !== 'operator') return nameIn(text)
  throw new InvalidArgumentError(
    'This name is reserved for changes made directly on the database: choose another name.',
  )
}

export const namesIn = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  nameIn(text),
]

/** Accepts any name of a scope; a right can have several names. */
export function scopesIn(text: string, before: readonly ScopeName[] | undefined): readonly ScopeName[] {
  const right = rightOfScope(text)
  if (right === undefined) throw new InvalidArgumentError(`It must be one of ${scopeNames.join(', ')}.`)
  return [...new Set([...(before ?? []), scopes[right].name])]
}

export function roleIn(text: string): GrantRole {
  const role = grantRoles.find((role) => role === text)
  if (role === undefined) throw new InvalidArgumentError(`It must be one of ${grantRoles.join(', ')}.`)
  return role
}

/** In milliseconds. */
export function durationIn(text: string): number {
  const duration = readDuration(text)
  if (duration !== undefined) return duration
  throw new InvalidArgumentError('It must be a number and a unit, such as 90s, 15m, 12h or 30d.')
}

export interface PrincipalFlags {
  readonly subject?: string
  readonly group?: string
}

export function principalIn({ subject, group }: PrincipalFlags): Principal {
  if (subject !== undefined && group === undefined) return { type: 'subject', name: subject }
  if (group !== undefined && subject === undefined) return { type: 'group', name: group }
  throw wrongUse('Say who the grant is for: give either --subject or --group.')
}
