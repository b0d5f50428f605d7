// Runs the cases on a server one after another, so that it is clear which request belongs to which case.
import type { Case } from '../cases/case.ts'
import { allCases } from '../cases/all-cases.ts'
import { CaseSkipped, ClauseFailure, type Finding } from '../clauses/clause-failure.ts'
import { sendTo, type Server } from '../exchange/send.ts'
import { socketsTo } from '../exchange/sockets.ts'
import type { Collection } from '../exchange/collection.ts'
import { findFreeKeys } from '../subject/find-free-keys.ts'
import { survey } from '../subject/survey.ts'
import type { Gifts, Subject } from '../subject/subject.ts'
import { withOwnObjects } from '../subject/own-objects.ts'
import { WriterFailed, type Writer } from '../writer/writer.ts'

export type Outcome =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly finding: Finding }
  | { readonly kind: 'skipped'; readonly reason: string }

export interface CaseResult {
  readonly clause: string
  readonly title: string
  readonly milliseconds: number
  readonly outcome: Outcome
}

export interface KitReport {
  readonly server: Pick<Server, 'url'> & Collection
  readonly startedAt: Date
  readonly milliseconds: number
  readonly results: readonly CaseResult[]
}

export interface KitOptions {
  readonly server: Server
  readonly collection: Collection
  readonly writer?: Writer | undefined
  readonly gifts?: Gifts
  /** Runs only the cases of these clauses. */
  readonly only?: readonly string[] | undefined
  /** Called at the end of each case. */
  readonly onResult?: (result: CaseResult) => void
}

export async function runKit(options: KitOptions): Promise<KitReport> {
  const { server, collection, writer, gifts = {}, only, onResult = () => {} } = options
  const startedAt = new Date()
  const started = performance.now()
  const surveyed = await survey({
    collection,
    send: sendTo(server),
    sockets: socketsTo(server),
    writer,
    gifts,
  })
  const subject = writer === undefined ? surveyed : { ...surveyed, freeKeys: await findFreeKeys(surveyed) }
  if (writer !== undefined) await tryWriter(subject)
  const results: CaseResult[] = []
  for (const each of casesFor(collection, only)) {
    const from = performance.now()
    const outcome = await outcomeOf(each, subject)
    const { clause, title } = each
    const result = { clause, title, milliseconds: Math.round(performance.now() - from), outcome }
    results.push(result)
    onResult(result)
  }
  return {
    server: { url: server.url, ...collection },
    startedAt,
    milliseconds: Math.round(performance.now() - started),
    results,
  }
}

const casesFor = ({ revision }: Collection, only: readonly string[] | undefined): readonly Case[] =>
  allCases.filter(
    (each) =>
      (each.revision === undefined ? revision !== 'v2' : each.revision === revision) &&
      (only === undefined || only.includes(each.clause)),
  )

async function outcomeOf(each: Case, subject: Subject): Promise<Outcome> {
  if (each.writes === true && subject.writer === undefined) {
    return { kind: 'skipped', reason: 'needs a writer: give --writer-url or --writer-command' }
  }
  try {
    await each.run(subject)
    return { kind: 'passed' }
  } catch (error) {
    if (error instanceof CaseSkipped) return { kind: 'skipped', reason: error.message }
    if (error instanceof ClauseFailure) return { kind: 'failed', finding: error.finding }
    throw error
  }
}

/** Reports a writer that does not work at once, not as a list of skipped cases. */
async function tryWriter(subject: Subject): Promise<void> {
  try {
    await withOwnObjects(subject, (own) => own.setTo([0], 1))
  } catch (error) {
    if (error instanceof CaseSkipped) throw new WriterFailed(`The writer cannot be used: ${error.message}.`)
    // The cases judge pages, not this check.
    if (!(error instanceof ClauseFailure)) throw error
  }
}

/** The broken clauses, each once, in the order of the cases. */
export const brokenClauses = ({ results }: KitReport): readonly string[] => [
  ...new Set(results.flatMap(({ outcome }) => (outcome.kind === 'failed' ? [outcome.finding.clause] : []))),
]

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export function tallyOf({ results }: KitReport): Tally {
  const count = (kind: Outcome['kind']) => results.filter(({ outcome }) => outcome.kind === kind).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
}
