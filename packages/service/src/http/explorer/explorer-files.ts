// The built pages of the explorer, all of them in memory: they are small, and a name that is not in the map is not served.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { buildCommand, pagesFolder } from '@octavo/explorer'
import type { ServeOptions } from '../../config/options.ts'
import type { Observe } from '../../observe/observation.ts'

export interface ExplorerFile {
  readonly type: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

interface ExplorerFiles {
  readonly page: ExplorerFile
  /** By their names, which contain a hash of what they hold. */
  readonly assets: ReadonlyMap<string, ExplorerFile>
}

/** How a person signs in with the identity provider; absent if only access tokens of ours are accepted. */
export interface ExplorerSignIn {
  readonly issuer: string
  readonly clientId: string
  readonly scopes: string
  readonly audience: string
}

export interface Explorer {
  readonly files: ExplorerFiles
  readonly signIn: ExplorerSignIn | undefined
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Undefined if nothing was built there. */
export function readExplorerFiles(folder: string): ExplorerFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const assets = readdirSync(join(folder, 'assets')).flatMap((name) =>
    types[extname(name)] === undefined ? [] : [[name, readFileOf(join(folder, 'assets', name))] as const],
  )
  return { page: readFileOf(join(folder, 'index.html')), assets: new Map(assets) }
}

const readFileOf = (path: string): ExplorerFile => ({
  type: types[extname(path)] ?? '',
  plain: readFileSync(path),
  br: readFileSync(`${path}.br`),
  gzip: readFileSync(`${path}.gz`),
})

type ExplorerOptions = Pick<
  ServeOptions,
  'explorer' | 'explorerClientId' | 'explorerScopes' | 'oidcIssuer' | 'oidcAudience'
>

/** Undefined if it is not wanted, or not built: everything else is served without it. */
export function openExplorer(options: ExplorerOptions, observe: Observe): Explorer | undefined {
  if (options.explorer === 'false') return undefined
  const files = readExplorerFiles(pagesFolder)
  if (files === undefined) {
    observe({ kind: 'explorer-missing', build: buildCommand })
    return undefined
  }
  const { oidcIssuer: issuer, oidcAudience: audience, explorerClientId: clientId } = options
  const signIn =
    clientId === '' ? undefined : { issuer, audience, clientId, scopes: options.explorerScopes.join(' ') }
  return { files, signIn }
}
