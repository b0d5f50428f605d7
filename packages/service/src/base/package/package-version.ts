import { readFileSync } from 'node:fs'

/** The path works in src and in dist, as both have the same depth below the package. */
export const packageVersion = (): string => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}
