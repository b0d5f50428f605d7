// The watched services: an instance in its own process, one with TLS and few connections, their database and a standby.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { replicationSettings, startCluster, startStandby, type Cluster } from '@octavo/dev-database'
import { migrateDatabase } from '@octavo/service'
import type { ObjectType, Ontology, Store } from '../../packages/service/test/inside.ts'
import { loadItems } from '../../packages/service/test/support/load-items.ts'
import { openTestStore } from '../../packages/service/test/support/open-test-store.ts'
import { startTestService, type TestService } from '../../packages/service/test/support/start-test-service.ts'
import { testToken, withTestAccess } from '../../packages/service/test/support/test-access.ts'
import { freePort } from '@octavo/dev-database'
import { keepAliveClient } from '../harness/keep-alive-client.ts'
import { serviceProcess, type ServiceProcess } from '../harness/service-process.ts'

export interface WatchedService {
  readonly cluster: Cluster
  readonly standby: Cluster
  readonly store: Store
  readonly ontology: Ontology
  readonly type: ObjectType
  readonly instance: ServiceProcess
  /** Requests a page of the instance, or another of its paths. */
  readonly ask: (path?: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
  readonly pagePath: string
  /** The address of the instance. */
  readonly url: string
  /** Reads a small page of the instance, over few connections and as fast as it answers. */
  readonly readPage: () => Promise<unknown>
  readonly withTls: TestService
  readonly certificateFile: string
  readonly metricsTargets: readonly string[]
  readonly stop: () => Promise<void>
}

/** The limit of the instance with TLS. */
export const mostConnections = 5

export async function startWatchedService(folder: string): Promise<WatchedService> {
  const cluster = await startCluster({ settings: replicationSettings })
  const standby = await startStandby(cluster)
  await migrateDatabase(cluster.url, () => {})
  const store = await withTestAccess(openTestStore({ databaseUrl: cluster.url }))
  const ontology = await store.applyOntology({
    apiName: 'proof',
    displayName: 'Proof',
    apiFamilies: ['proof'],
  })
  const { type } = await loadItems(store, ontology, 200, 'item')

  const [port, metricsPort, tlsMetricsPort] = [await freePort(), await freePort(), await freePort()]
  const instance = serviceProcess({
    databaseUrl: cluster.url,
    port,
    environment: () => ({
      OCTAVO_METRICS_PORT: String(metricsPort),
      OCTAVO_DATABASE_POOL_SIZE: '4',
      OCTAVO_SNAPSHOT_RETENTION_SECONDS: '60',
      OCTAVO_TRUSTED_PROXY_HOPS: '1',
    }),
  })
  await instance.start()
  const [certificateFile, keyFile] = [join(folder, 'certificate.pem'), join(folder, 'certificate.key')]
  makeCertificate(certificateFile, keyFile)
  const withTls = await startTestService({
    databaseUrl: cluster.url,
    environment: {
      OCTAVO_METRICS_PORT: String(tlsMetricsPort),
      OCTAVO_SNAPSHOT_RETENTION_SECONDS: '60',
      OCTAVO_TLS_CERTIFICATE_FILE: certificateFile,
      OCTAVO_TLS_KEY_FILE: keyFile,
      OCTAVO_MAX_CONNECTIONS: String(mostConnections),
    },
  })
  const url = `http://127.0.0.1:${port}`
  const client = keepAliveClient(url, 16)
  const pagePath = `/api/v1/ontologies/${ontology.rid}/objects/${type.apiName}?pageSize=10`
  return {
    cluster,
    standby,
    store,
    ontology,
    type,
    instance,
    pagePath,
    url,
    readPage: () => client.send({ method: 'GET', path: pagePath.replace('=10', '=1') }),
    ask: (path = pagePath, headers = {}) =>
      fetch(url + path, {
        headers: { authorization: `Bearer ${testToken}`, ...headers },
        signal: AbortSignal.timeout(20_000),
      }),
    withTls,
    certificateFile,
    metricsTargets: [`127.0.0.1:${metricsPort}`, `127.0.0.1:${tlsMetricsPort}`],
    stop: async () => {
      client.close()
      await instance.kill()
      await withTls.close()
      await store.database.close()
      await standby.stop()
      await cluster.stop()
    },
  }
}

const makeCertificate = (certificateFile: string, keyFile: string): void => {
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'.split(' ')
  const files = ['-keyout', keyFile, '-out', certificateFile]
  const words = ['req', '-x509', '-days', '2', '-subj', '/CN=octavo', ...newKey, ...files]
  execFileSync('openssl', words, { stdio: 'ignore' })
}
