// Where the links of a document lead. The documents link to each other as files, so that GitHub shows them well; on the site each page
// has another address, and what is no page is in the repository.
import { existsSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import { withPartsOfReadme } from './home.ts'
import { home, root, type Page } from './shelves.ts'

export const repository = 'https://github.com/octavo/octavo'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

/** As GitHub names a heading in an address. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

export class Links {
  readonly #pages: ReadonlyMap<string, Page>
  readonly #headings = new Map<string, ReadonlySet<string | null>>()
  readonly #wanted: { readonly from: string; readonly file: string; readonly heading: string }[] = []
  readonly #missing = new Set<string>()

  constructor(pages: readonly Page[]) {
    this.#pages = new Map(pages.map((page) => [page.file, page]))
  }

  /** The address of what a document links to. `ending` is that of pages. */
  addressOf(from: string, href: string, ending = ''): string {
    if (/^[a-z]+:/.test(href)) return href
    const [path = '', heading] = href.split('#')
    const file = path === '' ? from : normalize(join(folderOf(from), path)).replace(/\/$/, '')
    const page = this.#pages.get(file) ?? this.#pages.get(`${file}/README.md`) ?? this.#firstIn(file)
    if (page === undefined && !existsSync(join(root, file))) this.#missing.add(`${from}: ${href}`)
    if (page !== undefined && heading !== undefined) this.#wanted.push({ from, file: page.file, heading })
    if (path === '') return href
    const anchor = heading === undefined ? '' : `#${heading}`
    if (page === undefined) return `${repository}/blob/main/${file}${anchor}`
    const address = ending === '' ? page.address.replace(/(^|\/)index$/, '$1') : page.address
    return `/${address}${ending}${anchor}`
  }

  /** A shelf that has no page about itself. */
  #firstIn(folder: string): Page | undefined {
    return [...this.#pages.values()].find(({ file }) => file.startsWith(`${folder}/`))
  }

  /** For markdown-it: sets the links and pictures of each document, and remembers its headings. */
  readonly plugin = (md: MarkdownRenderer): void => {
    md.core.ruler.before('normalize', 'parts-of-readme', (state) => {
      state.src = withPartsOfReadme(state.src)
    })
    md.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
      // While pages are rendered, `path` is where they go and `realPath` where they are. A title that is rendered alone has neither.
      if (env.path === undefined) return
      const from = relative(root, env.realPath ?? env.path)
      const headings = tokens.filter(({ type }) => type === 'heading_open')
      this.#headings.set(from, new Set(headings.map((heading) => heading.attrGet('id'))))
      for (const block of tokens) {
        for (const token of block.children ?? [])
          if (token.type === 'link_open')
            token.attrSet('href', this.addressOf(from, token.attrGet('href') ?? ''))
        block.children = block.children?.flatMap((token) => picturesOf(from, token)) ?? null
      }
    })
  }

  /** After every page was rendered. */
  problems(): readonly string[] {
    const headings = this.#wanted
      .filter(({ file, heading }) => !this.#headings.get(file)?.has(heading))
      .map(({ from, file, heading }) => `${from}: ${file}#${heading}`)
    return [...this.#missing, ...new Set(headings)]
  }
}

/** The home page is made of parts of README.md, and what it links to is named as there. */
const folderOf = (file: string): string => (file === home ? '' : dirname(file))

/** A picture `*-light.png` may have a `*-dark.png` beside it: then both are in the page, and the theme shows one. */
function picturesOf(from: string, token: Token): readonly Token[] {
  if (token.type !== 'image') return [token]
  const file = join(folderOf(from), token.attrGet('src') ?? '')
  const show = (picture: string, attributes: readonly [string, string][] = []): Token =>
    Object.assign(Object.create(token), {
      attrs: [['src', relative(dirname(from), picture)], ['alt', ''], ...attributes],
    })
  const dark = file.replace('-light.', '-dark.')
  if (dark === file || !existsSync(join(root, dark))) return [show(file)]
  return [show(file, [['class', 'when-light']]), show(dark, [['class', 'when-dark']])]
}
