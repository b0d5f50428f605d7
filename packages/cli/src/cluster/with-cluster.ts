import type { ClusterManagement } from '@octavo/service'
import { CliError, wrongUse } from '../base/cli-error.ts'
import { databaseVariable, refusePassword } from '../access/refuse-password.ts'
import type { CommandContext } from '../base/command-context.ts'

export const clusterOption = [
  '--database-url <URL>',
  'the database of the service, on the coordinator (default: OCTAVO_DATABASE_URL)',
] as const

/** Opens the database as its operator, runs the work, and closes it. */
export async function withCluster<Answer>(
  asked: string | undefined,
  { environment }: Pick<CommandContext, 'environment'>,
  work: (cluster: ClusterManagement) => Promise<Answer>,
): Promise<Answer> {
  await refusePassword(asked)
  const databaseUrl = asked ?? (environment[databaseVariable] || undefined)
  if (databaseUrl === undefined) {
    throw wrongUse(
      `Which database? Give --database-url or set ${databaseVariable}, with the coordinator's address.`,
    )
  }
  const { openClusterManagement } = await import('@octavo/service')
  const cluster = openClusterManagement(databaseUrl)
  try {
    return await work(cluster)
  } catch (error) {
    if (error instanceof CliError) throw error
    const cause = error instanceof Error ? error.message || error.name : String(error)
    const hint =
      error instanceof Error && 'hint' in error && typeof error.hint === 'string' ? ` ${error.hint}.` : ''
    throw new CliError(
      `The database of the service failed (${cause}): check that it runs, and its URL and user.${hint}`,
    )
  } finally {
    await cluster.close()
  }
}
