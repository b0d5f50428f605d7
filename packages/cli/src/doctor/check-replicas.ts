import { messageOf, ok, problem, warning, type Check } from './finding.ts'

export const checkReplicas: Check = async ({ options }) => {
  const { inspectDatabase } = await import('@octavo/service')
  const urls = options?.databaseReplicaUrls ?? []
  return Promise.all(
    urls.map(async (url) => {
      const { host, hostname, port } = new URL(url)
      try {
        const { isStandby } = await inspectDatabase(url, { allowsStandby: true })
        return isStandby
          ? ok('replicas', `${host} is a standby`)
          : warning('replicas', `${host} is not a standby`, 'unset OCTAVO_DATABASE_REPLICA_URLS')
      } catch (error) {
        const mend = `pg_isready --host ${hostname} --port ${port || '5432'}`
        return problem('replicas', `${host} does not answer: ${messageOf(error)}`, mend)
      }
    }),
  )
}
