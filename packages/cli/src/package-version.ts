import { readFileSync } from 'node:fs'

/** The same depth below the package in src and in dist. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { version }: { readonly version: string } = JSON.parse(text)
  return version
}
