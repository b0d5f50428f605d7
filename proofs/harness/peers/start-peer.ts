import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BenchRequest } from '../ask-json.ts'
import { freePort } from '@octavo/dev-database'
import { serverProcess, type ServerProcess } from '../server-process.ts'

const folder = fileURLToPath(new URL('./', import.meta.url))

/** Installed into a separate folder, because nothing else in this repository needs them. */
export async function installPeers(say: (line: string) => void): Promise<void> {
  const installed = `${folder}node_modules/.package-lock.json`
  const locked = `${folder}package-lock.json`
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return
  say('installing the peers into proofs/harness/peers/node_modules')
  await promisify(execFile)('npm', ['ci', '--prefix', folder, '--ignore-scripts', '--loglevel=error'])
}

export interface PeerOptions {
  readonly file: string
  readonly databaseUrl: string
  readonly ready: BenchRequest
}

export async function startPeer({ file, databaseUrl, ready }: PeerOptions): Promise<ServerProcess> {
  const port = await freePort()
  const peer = serverProcess({
    file: `${folder}${file}`,
    port,
    ready,
    environment: () => ({
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
    }),
  })
  await peer.start()
  return peer
}
