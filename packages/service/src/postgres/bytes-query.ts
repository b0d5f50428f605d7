// A statement whose rows are wanted as bytes. The driver's own query asks for a description of the columns each time, and
// makes a result of them; whoever wants bytes knows the columns.
import { Query } from 'pg'
import { prepareValue } from 'pg/lib/utils.js'
import { recentlyUsed, type RecentlyUsed } from '../memory/recently-used.ts'
import type { SqlQuery } from '../sql/sql-query.ts'
import type { TakeRow } from './message-reader.ts'
import { hasState } from './sqlstate.ts'
import { unanswered } from './within-ms.ts'

interface Messages {
  readonly close: (message: { readonly type: 'S'; readonly name: string }) => void
  readonly parsedStatements: Record<string, string>
  readonly parse: (message: { readonly name: string; readonly text: string }) => void
  readonly bind: (message: object) => void
  readonly execute: (message: object) => void
  readonly sync: () => void
  readonly submittedNamedStatements: Record<string, string>
}

interface DriverQuery {
  name: string
  readonly hasBeenParsed: (connection: Messages) => boolean
  /** The driver may have wrapped the one it was given. */
  readonly callback: Answered
}

export interface NamedQuery extends SqlQuery {
  readonly name: string
}

/** A plan takes some ten kilobytes of the server's memory, in each connection. */
const mostStatements = 500
/** Of each connection. */
const usedStatements = new WeakMap<Messages, RecentlyUsed<true>>()

function closeUnused(connection: Messages, name: string): void {
  let used = usedStatements.get(connection)
  if (used === undefined) {
    used = recentlyUsed(mostStatements, (unused) => closeStatement(connection, unused))
    usedStatements.set(connection, used)
  }
  if (used.get(name) === undefined) used.set(name, true)
}

function closeStatement(connection: Messages, name: string): void {
  connection.close({ type: 'S', name })
  delete connection.parsedStatements[name]
  delete connection.submittedNamedStatements[name]
}

type Answered = (error: Error | null) => void

export class BytesQuery extends Query {
  /** Kept once all rows have been taken. */
  readonly answer: Promise<void>
  readonly takeRow: TakeRow
  readonly #query: NamedQuery
  readonly #driver = this as unknown as DriverQuery

  constructor(query: NamedQuery, takeRow: TakeRow) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const callback: Answered = (error) => {
      if (error === null) resolve()
      else reject(error)
    }
    // Not as one object, of which the driver makes a copy with every property defined anew.
    super(...([query.text, undefined, callback] as unknown as ConstructorParameters<typeof Query>))
    this.#driver.name = query.name
    this.answer = promise
    this.takeRow = takeRow
    this.#query = query
  }

  /** Its answer does not come. */
  giveUp(): void {
    this.#driver.callback(unanswered())
  }

  requiresPreparation(): boolean {
    return true
  }

  prepare(connection: Messages): void {
    const { text, values, name } = this.#query
    // Before all else: after an error the server passes over what follows, and would keep what we think it has closed.
    closeUnused(connection, name)
    if (!this.#driver.hasBeenParsed(connection)) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    connection.bind({ statement: name, values, binary: true, valueMapper: prepareValue })
    connection.execute({ rows: 0 })
    connection.sync()
  }

  handleError(error: Error, connection: Messages): void {
    // Whatever made the server forget it: it is to be parsed again.
    if (hasState(error, 'unknownStatement')) delete connection.parsedStatements[this.#query.name]
    this.#driver.callback(error)
  }

  handleCommandComplete(): void {
    // It says how many rows there were.
  }

  handleReadyForQuery(): void {
    this.#driver.callback(null)
  }
}
