import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './root.ts'

/** The licences of all packages that these modules come from, as their terms require of a copy. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(
    modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0] ?? []),
  )
  const texts = [...folders].toSorted().map((folder) => {
    const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    )
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    if (license === undefined) throw new Error(`${relative(root, folder)} does not say its licence.`)
    return `${name} ${version}: ${license}\n${text}`
  })
  return `Octavo contains these packages.\n\n${texts.join('\n\n')}`
}
