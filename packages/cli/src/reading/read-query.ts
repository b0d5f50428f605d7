import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Query } from '@octavo/protocol'
import { wrongUse } from '../base/cli-error.ts'
import type { CommandContext } from '../base/command-context.ts'
import { aboutFile } from '../base/file-error.ts'
import { shapeProblems } from '../definitions/shape-problems.ts'

interface QueryFlags {
  readonly query?: string
  readonly where?: readonly string[]
}

/** The query of --query, checked; undefined if the conditions of --where are the query. */
export async function readQuery(
  { query, where }: QueryFlags,
  context: CommandContext,
): Promise<Query | undefined> {
  if ((query === undefined) === (where === undefined)) {
    throw wrongUse(
      'Say what to search for: give either --query or --where. To see all objects, use octavo list.',
    )
  }
  if (query === undefined) return undefined
  const value = parsed(query.startsWith('@') ? await textOf(query.slice(1), context) : query)
  const { querySchema } = await import('@octavo/protocol')
  const [problem] = shapeProblems(querySchema, value)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the shape, as was just checked
  if (problem === undefined) return value as Query
  throw wrongUse(
    `--query: ${['query', ...problem.path].join('.')} ${problem.problem}. See docs/build/searching.md.`,
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw wrongUse(
      `--query is not valid JSON: ${reason}. Give it in single quotation marks, such as --query '{"type":"keyword","query":"maps"}', or --query @FILE to read it from a file. --where takes simple conditions.`,
    )
  }
}

async function textOf(file: string, { currentFolder }: CommandContext): Promise<string> {
  return aboutFile(file, () => readFile(resolve(currentFolder, file), 'utf8'))
}
