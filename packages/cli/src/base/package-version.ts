import { readFileSync } from 'node:fs'

/** The relative path works from src and dist, because both are at the same depth in the package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}
