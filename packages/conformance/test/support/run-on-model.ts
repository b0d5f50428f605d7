import { runKit, type KitReport } from '../../src/kit/kit.ts'
import type { RevisionName } from '../../src/exchange/collection.ts'
import { urlWriter } from '../../src/writer/url-writer.ts'
import { pageRequest } from '../../src/subject/page-request.ts'
import { sendTo } from '../../src/exchange/send.ts'
import { apiFamily, ontologyRid } from './model-server/model-data.ts'
import { startModelServer, type ModelOptions, type ModelServer } from './model-server/model-server.ts'

const token = 'model-token'

const collectionOf = (revision: RevisionName) => ({
  revision,
  ontology: revision === '1.0' ? ontologyRid : apiFamily,
  objectType: 'thing',
})

interface ModelRun {
  readonly only?: readonly string[] | undefined
  /** Without it, the kit may write. */
  readonly writes?: false
}

/** Runs the kit on a model server, with everything that a user can provide. */
export async function runOnModel(
  revision: RevisionName,
  options: ModelOptions & ModelRun = {},
): Promise<KitReport> {
  const server = await startModelServer(options)
  try {
    return await runKit({
      server: { url: server.url, token },
      collection: collectionOf(revision),
      // A model with many objects is only for testing limits; each commit would copy all of them.
      writer:
        (options.objects ?? 0) > 2_000 || options.writes === false
          ? undefined
          : urlWriter(server.writerUrl, token),
      only: options.only,
      gifts: {
        otherToken: 'model-other-token',
        otherUrl: server.url.replace('127.0.0.1', 'localhost'),
        expiredPageToken: await expiredToken(server, revision),
        expiredSnapshotToken: server.snapshotOf(-1),
        goneSnapshotToken: await goneSnapshotToken(server, revision),
      },
    })
  } finally {
    await server.close()
  }
}

const expiredToken = async (server: ModelServer, revision: RevisionName) =>
  server.resealed(await firstToken(server, revision, false), { issuedAt: Date.now() - 16 * 60_000 })

const goneSnapshotToken = async (server: ModelServer, revision: RevisionName) =>
  server.resealed(await firstToken(server, revision, true), { version: -1 })

/** Read without checks: some of these servers send invalid tokens. */
async function firstToken({ url }: ModelServer, revision: RevisionName, snapshot: boolean): Promise<string> {
  const ask = { pageSize: 2, ...(snapshot && { snapshot }) }
  const { body } = await sendTo({ url, token })(pageRequest(collectionOf(revision), ask))
  return String((body as { nextPageToken?: unknown }).nextPageToken)
}
