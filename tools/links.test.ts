// Every link between documents leads to a file, and to a heading of it, that exists.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const documents = globSync(
  ['*.md', '.github/**/*.md', '{deploy,docs,examples,proofs,spec}/**/*.md', 'packages/*/{*,src/**/*}.md'],
  { cwd: root, exclude: (path) => path.endsWith('node_modules') },
)
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const withoutCode = (text: string): string => text.replaceAll(/^```[^]*?^```/gm, '')

/** As GitHub and the site name the heading in an address. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

function anchorsOf(path: string): ReadonlySet<string> {
  const text = withoutCode(textOf(path))
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)
  return new Set([...headings, ...named])
}

const problemOf = (document: string, target: string): string | undefined => {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? document : normalize(join(dirname(document), path))
  if (!existsSync(join(root, file))) return `${document}: ${target} does not exist`
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor)) return undefined
  return `${document}: ${target}: the page has no such heading`
}

it('links between documents lead somewhere', () => {
  const links = documents.flatMap((document) =>
    [...withoutCode(textOf(document)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({
      document,
      target,
    })),
  )
  const within = links.filter(({ target }) => !/^[a-z]+:/.test(target))
  expect(within.length).toBeGreaterThan(400)
  expect(within.flatMap(({ document, target }) => problemOf(document, target) ?? [])).toEqual([])
})
