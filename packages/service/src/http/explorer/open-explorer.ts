import { buildCommand, pagesFolder } from '@octavo/explorer'
import type { ServeOptions } from '../../config/options.ts'
import type { Observe } from '../../observe/observation.ts'
import { readExplorerFiles } from './explorer-files.ts'
import type { Explorer } from './explorer-routes.ts'

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
