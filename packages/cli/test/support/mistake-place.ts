// Where a user makes mistakes: a service with a few types and objects, tokens of several kinds, and what is no service.
import { createServer } from 'node:http'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Client } from 'pg'
import type { Mistake } from '../typical-mistakes/mistake.ts'
import { startCommand, type CommandProcess } from './command-process.ts'
import { serveOctavo, type Ran } from './served-octavo.ts'

export interface MistakePlace {
  readonly run: (mistake: Mistake) => Promise<Ran>
  readonly close: () => Promise<void>
}

const definition = `ontology: { apiName: air, displayName: Air, apiFamilies: [air] }
objectTypes:
  - apiName: airport
    displayName: Airport
    primaryKey: code
    titleProperty: city
    properties:
      code: { type: integer }
      city: { type: string, searchable: true }
  - apiName: flight
    displayName: Flight
    primaryKey: id
    titleProperty: id
    properties:
      id: { type: string }
      origin: { type: string, searchable: true, sortable: true }
      airportCode: { type: integer, searchable: true }
      delay: { type: integer, searchable: true, sortable: true }
      departsAt: { type: timestamp, searchable: true }
      cancelled: { type: boolean, searchable: true }
      note: { type: string }
    links:
      airport: { objectType: airport, foreignKeyProperty: airportCode, reverse: flights }
`
const emptyTable = `create table public.empty_flights (id text primary key, origin text, "airportCode" int, delay int,
  "departsAt" timestamptz, cancelled bool, note text)`
const flights = Array.from({ length: 20 }, (_, i) => `f${i},BER,1,${i},2026-01-01T00:00:00Z,false,\n`).join(
  '',
)
const objects = {
  'airport.csv': 'code,city\n1,Berlin\n',
  'flight.csv': `id,origin,airportCode,delay,departsAt,cancelled,note\n${flights}`,
}

export async function mistakePlace(): Promise<MistakePlace> {
  const octavo = await serveOctavo()
  const inFolder = (
    folder: string,
    words: readonly string[],
    { environment, input }: Partial<Mistake> = {},
  ) =>
    octavo.runWith(
      {
        currentFolder: folder,
        homeFolder: folder,
        environment: {
          OCTAVO_URL: octavo.url,
          OCTAVO_TOKEN: octavo.token,
          OCTAVO_ONTOLOGY: 'air',
          ...environment,
        },
        input: { stream: Readable.from(input === undefined ? [] : [input]), isTerminal: false },
      },
      ...words,
    )
  const right = async (...words: readonly string[]): Promise<string> => {
    const { code, out, err } = await inFolder(home, words)
    if (code !== 0) throw new Error(`octavo ${words.join(' ')}: ${err}`)
    return out.trim()
  }
  const home = folderWith({ 'air.yaml': definition, ...objects })
  await right('apply', '-f', 'air.yaml', '--yes')
  for (const type of ['airport', 'flight']) await right('load', type, `${type}.csv`)
  const client = new Client({ connectionString: octavo.databaseUrl })
  await client.connect()
  await client.query(emptyTable)
  await client.end()
  const snapshot = await right('snapshot', 'flight')
  const tokenOf = (subject: string, ...scopes: readonly string[]) =>
    right('token', 'create', '--subject', subject, ...scopes.flatMap((scope) => ['--scope', scope]))
  await right('grant', 'add', '--subject', 'reader', '--role', 'reader')
  const other = createServer((_request, response) => response.writeHead(404).end('<html>nginx</html>'))
  const nowhere = createServer()
  const portOf = async (server: ReturnType<typeof createServer>): Promise<number> => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  const names: Readonly<Record<string, string | undefined>> = {
    URL: octavo.url,
    HTTPS_URL: octavo.url.replace('http:', 'https:'),
    PORT: new URL(octavo.url).port,
    OTHER_SERVER: `http://127.0.0.1:${await portOf(other)}`,
    NO_SERVER: `http://127.0.0.1:${await portOf(nowhere)}`,
    DATABASE_URL: octavo.databaseUrl,
    SNAPSHOT: snapshot,
    PART_OF_SNAPSHOT: snapshot.slice(0, -8),
    REVOKED: await tokenOf('formerly', 'api:ontologies-read'),
    READER: await tokenOf('reader', 'api:ontologies-read', 'api:ontologies-write'),
    STRANGER: await tokenOf('stranger', 'api:ontologies-read'),
    NO_READER: await tokenOf('reader', 'api:tokens-admin'),
  }
  nowhere.close()
  const [, revoked = ''] = /^(\S+) +formerly /m.exec(await right('token', 'list')) ?? []
  await right('token', 'revoke', revoked)
  const named = (text: string): string =>
    text.replaceAll(/\$([A-Z_]+)/g, (whole, name) => names[name] ?? whole)
  return {
    run: async (mistake) => {
      const folder = folderWith(mistake.files ?? {})
      try {
        const words = [...mistake.typed.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) =>
          named(quoted ?? plain ?? ''),
        )
        const environment = Object.fromEntries(
          Object.entries(mistake.environment ?? {}).map(([name, value]) => [name, value && named(value)]),
        )
        if (mistake.isProgram) return await endOf(startCommand({ environment, folder }, words))
        return await inFolder(folder, words, { ...mistake, environment })
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
    close: async () => {
      rmSync(home, { recursive: true })
      other.close()
      await octavo.close()
    },
  }
}

const endOf = async ({ ended, out, err }: CommandProcess): Promise<Ran> => ({
  code: (await ended) ?? -1,
  out: out(),
  err: err(),
})

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-mistake-'))
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('/')) mkdirSync(join(folder, name))
    else writeFileSync(join(folder, name), content)
  }
  return folder
}
