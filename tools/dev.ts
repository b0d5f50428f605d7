// `npm run dev`: a throwaway PostgreSQL with the service on it, restarted when the source changes. Ctrl-C ends all of it,
// and so does the death of this process or of its parent: the service follows us (dev/end-with-parent.ts), PostgreSQL has a
// guardian (packages/dev-database).

import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { checkPortIsFree, localExports, onceParentIsGone } from '@octavo/cli'
import { startCluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import { makeExampleOntology } from './dev/example-ontology.ts'
import { startServiceProcess, type ServiceProcess } from './dev/service-process.ts'
import { watchSource } from './dev/watch-source.ts'

const host = '127.0.0.1'

const dev = async (): Promise<void> => {
  const toldToStop = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    onceParentIsGone(resolve)
  })
  const { port, databaseUrl: given } = readArguments()
  await checkPortIsFree(host, port)

  const cluster = given === undefined ? await startCluster() : undefined
  const databaseUrl = given ?? cluster?.url ?? ''
  const environment = {
    OCTAVO_HOST: host,
    OCTAVO_PORT: String(port),
    OCTAVO_DATABASE_URL: databaseUrl,
    OCTAVO_PAGE_TOKEN_KEYS: `dev:${randomBytes(32).toString('base64url')}`,
    OCTAVO_STOP_GRACE_SECONDS: '2',
    // For examples/browser, and the pages that you write.
    OCTAVO_CORS_ORIGINS: 'loopback',
  }

  let service: ServiceProcess | undefined
  const startAgain = async (): Promise<void> => {
    await service?.stop()
    service = undefined
    try {
      await migrateDatabase(databaseUrl, () => {})
      service = startServiceProcess(environment)
    } catch (error) {
      console.error(
        `The database was not migrated (${messageOf(error)}). Migrating is retried when a file changes.`,
      )
    }
  }

  await startAgain()
  // A given database is left unchanged.
  const example = cluster === undefined ? undefined : await makeExampleOntology(databaseUrl)
  const url = `http://${host}:${port}`
  console.log(`
  service    ${url}
  reference  ${url}/docs
  database   ${cluster === undefined ? 'as given; it is not removed at the end' : `${databaseUrl}, removed at the end`}
${
  example === undefined
    ? `  token      create one, see docs/run/access.md`
    : `
In another shell, in this folder:

${localExports({ url, ...example })}
  curl -H "Authorization: Bearer $OCTAVO_TOKEN" \\
    "$OCTAVO_URL/api/v1/ontologies/$OCTAVO_ONTOLOGY/objects/employee"
  npm run --silent octavo -- list employee`
}

Ctrl-C stops it.
`)
  const source = watchSource(startAgain)
  await toldToStop
  await source.close()
  await service?.stop()
  await cluster?.stop()
}

const readArguments = (): { readonly port: number; readonly databaseUrl: string | undefined } => {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '8080' }, 'database-url': { type: 'string' } },
  })
  const port = Number(values.port)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`--port must be a whole number from 1 to 65535, not "${values.port}".`)
  }
  return { port, databaseUrl: values['database-url'] }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

await dev().catch((error: unknown) => {
  console.error(messageOf(error))
  process.exitCode = 1
})
