// What a browser has to receive before the explorer shows anything.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pagesFolder } from '@octavo/explorer'

export const mostFirstLoadBytes = 60_000

/** The page and everything that it names, in gzip, which every browser accepts. */
export function firstLoadBytes(): number {
  const page = readFileSync(join(pagesFolder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\/explorer\/([^"]+)"/g)].map(([, path]) => path ?? '')
  return ['index.html', ...named]
    .map((path) => readFileSync(join(pagesFolder, `${path}.gz`)).length)
    .reduce((sum, bytes) => sum + bytes, 0)
}
