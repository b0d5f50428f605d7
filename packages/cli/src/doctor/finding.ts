import type { ServeOptions } from '@octavo/service'
import type { CommandContext } from '../base/command-context.ts'

export interface Finding {
  /** The subject of the check, in one or two words. */
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly text: string
  /** The command that mends it, or what to do. Every problem has one. */
  readonly mend?: string
}

/** The subjects of the examination. An absent one is not checked. */
export interface Patient {
  readonly context: CommandContext
  readonly nodeVersion: string
  readonly url?: string
  readonly token?: string
  readonly databaseUrl?: string
  /** The options of the service, from the environment; undefined if one of them is refused. */
  readonly options?: ServeOptions
  /** Why the options are refused. */
  readonly optionProblems?: readonly string[]
}

export type Check = (patient: Patient) => Promise<readonly Finding[]>

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text })
export const warning = (check: string, text: string, mend: string): Finding => ({
  check,
  state: 'warning',
  text,
  mend,
})
export const problem = (check: string, text: string, mend: string): Finding => ({
  check,
  state: 'problem',
  text,
  mend,
})

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)
