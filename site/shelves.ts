// Which Markdown files of this repository are pages of the site, on which shelf each stands, and at which address. A page is named
// here only for its place: what a shelf does not name follows by file name.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

interface Shelf {
  readonly title: string
  /** The first pages, in this order. */
  readonly first?: readonly string[]
  /** A folder whose other pages follow. */
  readonly folder?: string
  readonly shelves?: readonly Shelf[]
}

/** `docs/run`, `a`, `b`: the first pages of the folder. */
const folder = (path: string, ...first: readonly string[]) => ({
  folder: path,
  first: first.map((name) => `${path}/${name}.md`),
})

const shelves: readonly Shelf[] = [
  { title: 'Start', ...folder('docs/start', 'your-own-data') },
  { title: 'Your data in', ...folder('docs/load', 'loading', 'declaring-types') },
  {
    title: 'Read everything',
    folder: 'docs/read',
    first: ['docs/read/all-objects.md', 'packages/client/README.md'],
  },
  { title: 'Build an app', ...folder('docs/build', 'searching') },
  { title: 'Keep a copy', ...folder('docs/copy', 'keep-a-copy') },
  {
    title: 'Run it',
    ...folder('docs/run', 'installing', 'operating', 'backup-and-restore', 'access', 'high-availability'),
    shelves: [{ title: 'Runbooks', ...folder('docs/run/runbooks') }],
  },
  {
    title: 'Reference',
    ...folder('docs/reference', 'errors', 'options', 'command', 'metrics', 'wire'),
    shelves: [{ title: 'Specification', ...folder('spec', 'README') }],
  },
  {
    title: 'Why',
    first: ['ARCHITECTURE.md', 'docs/reference/what-others-lose.md', 'docs/threat-model.md'],
    shelves: [{ title: 'Decisions', ...folder('docs/decisions', 'README') }],
  },
]

export const home = 'site/index.md'
/** In `docs`, but for those who work on Octavo: they read them on GitHub. */
const notOnTheSite = new Set(['docs/releasing.md'])

/** Files whose address does not follow from where they are. */
const addresses: Readonly<Record<string, string>> = {
  [home]: 'index',
  'ARCHITECTURE.md': 'why/architecture',
  'docs/threat-model.md': 'why/threat-model',
  'packages/client/README.md': 'read/client',
}
const addressOf = (file: string): string =>
  addresses[file] ??
  file
    .replace(/[.]md$/, '')
    .replace(/^docs\//, '')
    .replace(/^decisions\/0*/, 'decisions/')
    .replace(/(^|\/)README$/, '$1index')

export interface Page {
  /** From the root of the repository. */
  readonly file: string
  /** Without a slash in front and an ending: `run/operating`, `spec/index`. */
  readonly address: string
  readonly title: string
}

export interface FilledShelf {
  readonly title: string
  readonly pages: readonly Page[]
  readonly shelves: readonly FilledShelf[]
}

const toPage = (file: string): Page => {
  if (!existsSync(join(root, file))) throw new Error(`site/shelves.ts names ${file}, which does not exist`)
  const heading = /^# (.*)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]
  if (heading === undefined) throw new Error(`${file} has no heading, which would be its title`)
  return { file, address: addressOf(file), title: heading.replaceAll('`', '') }
}

const namedIn = ({ first = [], shelves: below = [] }: Shelf): readonly string[] => [
  ...first,
  ...below.flatMap(namedIn),
]
const named = new Set(shelves.flatMap(namedIn))

const fill = ({ title, first = [], folder: path, shelves: below = [] }: Shelf): FilledShelf => {
  const found = path === undefined ? [] : globSync(`${path}/*.md`, { cwd: root }).toSorted()
  const rest = found.filter((file) => !named.has(file))
  return { title, pages: [...first, ...rest].map(toPage), shelves: below.map(fill) }
}

/** The shelves with their pages, or an error if one names a file that does not exist or a document is on none of them. */
export function filledShelves(): readonly FilledShelf[] {
  const filled = shelves.map(fill)
  const shown = new Set(filled.flatMap(pagesOf).map(({ file }) => file))
  const lost = globSync('{docs,spec}/**/*.md', { cwd: root }).filter(
    (file) => !shown.has(file) && !notOnTheSite.has(file),
  )
  if (lost.length > 0) throw new Error(`site/shelves.ts has no shelf for ${lost.join(', ')}`)
  return filled
}

export const pagesOf = ({ pages, shelves: below }: FilledShelf): readonly Page[] => [
  ...pages,
  ...below.flatMap(pagesOf),
]
