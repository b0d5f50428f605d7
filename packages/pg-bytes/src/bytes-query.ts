// A statement whose rows are wanted as bytes. The driver's own query asks for a description of the columns each time and makes a
// result from them; code that wants bytes knows the columns.
import { Query } from 'pg'
import { serialize } from 'pg-protocol'
import { prepareValue } from 'pg/lib/utils.js'
import type { TakeRow } from './message-reader.ts'

/** The driver's connection, as far as we use it; the driver's types do not have these members. */
interface DriverConnection {
  readonly parse: (message: { readonly name: string; readonly text: string }) => void
  readonly stream: NodeJS.WritableStream
  readonly close: (message: { readonly type: 'S'; readonly name: string }) => void
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

interface DriverQuery {
  name: string
  readonly hasBeenParsed: (connection: DriverConnection) => boolean
  /** The driver may have wrapped the callback that it was given. */
  readonly callback: Callback
}

type Callback = (error: Error | null) => void

export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The limit for each connection: a plan takes some ten kilobytes of the server's memory. */
const mostStatements = 500
const unknownStatement = '26000'
const executeAndSync = Buffer.concat([serialize.execute(), serialize.sync()])

export class BytesQuery extends Query {
  /** Resolves once all rows have been taken. */
  readonly answer: Promise<void>
  readonly takeRow: TakeRow
  readonly #statement: NamedStatement
  readonly #driver = this as unknown as DriverQuery

  constructor(statement: NamedStatement, takeRow: TakeRow) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const callback: Callback = (error) => (error === null ? resolve() : reject(error))
    // Not passed as one object: the driver would copy it, defining every property again.
    super(...([statement.text, undefined, callback] as unknown as ConstructorParameters<typeof Query>))
    this.#driver.name = statement.name
    this.answer = promise
    this.takeRow = takeRow
    this.#statement = statement
  }

  /** Stops waiting for the answer. */
  giveUp(error: Error): void {
    this.#driver.callback(error)
  }

  // The driver calls the following methods.

  requiresPreparation(): boolean {
    return true
  }

  prepare(connection: DriverConnection): void {
    const { text, values, name } = this.#statement
    // Sent first: after an error the server skips the messages that follow, and would keep a statement that we believe it has
    // closed.
    closeLeastRecentlyUsed(connection, name)
    if (!this.#driver.hasBeenParsed(connection)) {
      connection.parse({ name, text })
      connection.submittedNamedStatements[name] = text
    }
    // Sent in one write: the driver sends each message separately, which takes a fortieth of the time of a page of 100 objects.
    const bind = serialize.bind({
      statement: name,
      values: [...values],
      binary: true,
      valueMapper: prepareValue,
    })
    if (connection.stream.writable) connection.stream.write(Buffer.concat([bind, executeAndSync]))
  }

  handleError(error: Error & { readonly code?: string }, connection: DriverConnection): void {
    // Whatever made the server forget the statement, it is parsed again the next time.
    if (error.code === unknownStatement) delete connection.parsedStatements[this.#statement.name]
    this.#driver.callback(error)
  }

  handleCommandComplete(): void {
    // This message only says how many rows there were.
  }

  handleReadyForQuery(): void {
    this.#driver.callback(null)
  }
}

/** The names that each connection has prepared, the least recently used first: a Set keeps the order of insertion. */
const prepared = new WeakMap<DriverConnection, Set<string>>()

function closeLeastRecentlyUsed(connection: DriverConnection, name: string): void {
  const names = prepared.get(connection) ?? new Set<string>()
  prepared.set(connection, names)
  if (!names.delete(name) && names.size === mostStatements) closeStatement(connection, names)
  names.add(name)
}

function closeStatement(connection: DriverConnection, names: Set<string>): void {
  const [oldest] = names
  if (oldest === undefined) return
  names.delete(oldest)
  connection.close({ type: 'S', name: oldest })
  delete connection.parsedStatements[oldest]
  delete connection.submittedNamedStatements[oldest]
}
