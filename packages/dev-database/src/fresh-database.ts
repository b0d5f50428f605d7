import { randomBytes } from 'node:crypto'
import { escapeIdentifier } from 'pg'
import { databaseUrl } from './database-url.ts'
import { dropDatabase, onEach } from './on-each.ts'
import type { TemplateFacts } from './template-facts.ts'

export type FreshDatabase = {
  readonly url: string
  readonly name: string
  readonly drop: () => Promise<void>
}

/** A prepared database for the caller alone. */
export async function freshDatabase({ serverUrls, template, prefix }: TemplateFacts): Promise<FreshDatabase> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const text = `CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`
  await onEach(serverUrls, (client) => client.query(text))
  return {
    url: databaseUrl(serverUrls[0] ?? '', name),
    name,
    drop: () => dropDatabase(serverUrls, name),
  }
}
