// A real service on its own database, and the command, run against it in this process.
import { Readable } from 'node:stream'
import { freshDatabase } from '@octavo/dev-database/vitest'
import type { CommandContext } from '../../src/base/command-context.ts'
import { makeLocalToken } from '../../src/local/local-token.ts'
import { startLocalService } from '../../src/local/start-local-service.ts'
import { runProgram } from '../../src/program.ts'
import { testContext } from './test-context.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface ServedOctavo {
  readonly url: string
  readonly databaseUrl: string
  /** Has all rights. */
  readonly token: string
  readonly run: (...words: readonly string[]) => Promise<Ran>
  readonly runWith: (parts: Partial<CommandContext>, ...words: readonly string[]) => Promise<Ran>
  readonly close: () => Promise<void>
}

export async function serveOctavo(): Promise<ServedOctavo> {
  const database = await freshDatabase()
  const service = await startLocalService({ port: 0, databaseUrl: database.url })
  const token = await makeLocalToken(database.url)
  const runWith: ServedOctavo['runWith'] = async (parts, ...words) => {
    const { context, written, noted } = testContext({
      environment: { OCTAVO_URL: service.url, OCTAVO_TOKEN: token },
      fetch: globalThis.fetch,
      now: () => new Date(),
      ...parts,
    })
    const code = await runProgram(words, context)
    return { code, out: written(), err: noted() }
  }
  return {
    url: service.url,
    databaseUrl: database.url,
    token,
    run: (...words) => runWith({}, ...words),
    runWith,
    close: async () => {
      await service.stop()
      await database.drop()
    },
  }
}

/** Simulates a user who types this at a terminal. */
export const typing = (text: string): Partial<CommandContext> => ({
  input: { stream: Readable.from([text]), isTerminal: true },
})
