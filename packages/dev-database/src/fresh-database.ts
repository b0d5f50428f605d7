import { randomBytes } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { emptySharedDatabase } from './shared-database.ts'
import { databaseUrl, type Prepare } from './template-database.ts'
import type { TemplateFacts } from './template-facts.ts'
import { withClient } from './with-client.ts'

export type FreshDatabase = {
  readonly url: string
  readonly name: string
  /** True if every test gets this same database, so only one may use it at a time. */
  readonly shared: boolean
  readonly drop: () => Promise<void>
}

/** A prepared database for the caller alone. `prepare` is called only where databases cannot be cloned. */
export async function freshDatabase(facts: TemplateFacts, prepare: Prepare): Promise<FreshDatabase> {
  switch (facts.kind) {
    case 'template':
      return clonedDatabase(facts)
    case 'shared':
      return sharedDatabase(facts.serverUrl, prepare)
    default:
      return facts satisfies never
  }
}

async function clonedDatabase(facts: TemplateFacts & { kind: 'template' }): Promise<FreshDatabase> {
  const { serverUrl, template, prefix } = facts
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const quoted = escapeIdentifier(name)
  await withClient(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${quoted} TEMPLATE ${escapeIdentifier(template)}`),
  )
  const drop = async () => {
    await withClient(serverUrl, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`))
  }
  return { url: databaseUrl(serverUrl, name), name, shared: false, drop }
}

let sharedInUse = false

async function sharedDatabase(url: string, prepare: Prepare): Promise<FreshDatabase> {
  // Emptying it while another test uses it would make that test fail inexplicably.
  if (sharedInUse) throw new Error('The shared database is in use: drop() the one handed out before.')
  sharedInUse = true
  try {
    await emptySharedDatabase(url)
    await prepare(url)
  } catch (error) {
    sharedInUse = false
    throw error
  }
  const drop = async () => {
    sharedInUse = false
    await emptySharedDatabase(url)
  }
  return { url, name: decodeURIComponent(new URL(url).pathname.slice(1)), shared: true, drop }
}
