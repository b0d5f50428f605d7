// The site for programs: the Markdown of each page beside its HTML, a list of all pages, and one file with all of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withPartsOfReadme } from './home.ts'
import type { Links } from './links.ts'
import { type FilledShelf, home, type Page, pagesOf, root } from './shelves.ts'

const sourceOf = ({ file }: Page): string => {
  const text = withPartsOfReadme(readFileSync(join(root, file), 'utf8'))
  // Comments are for tests, and what stands before the first heading for VitePress.
  return text.replaceAll(/^<!--[^]*?-->\n+/gm, '').replace(/^---\n[^]*?\n---\n+/, '')
}

/** What a page is about: the summary of a decision, or else the first sentence of the text. */
export function summaryOf(page: Page): string {
  const paragraphs = sourceOf(page).split(/\n{2,}/)
  const paragraph =
    paragraphs.find((text) => text.startsWith('Summary: ')) ??
    paragraphs.find((text) => /^[\w*`"]/.test(text))
  const plain = (paragraph ?? page.title)
    .replace(/^(?:Summary:|[*][*]It means:[*][*]) /, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*]|\b_|_\b/g, '')
  return /^.*?[.?!](?= |$)/.exec(plain)?.[0] ?? plain
}

export function writeTexts(
  shelves: readonly FilledShelf[],
  links: Links,
  outDir: string,
  base: string,
): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(outDir, path)), { recursive: true })
    writeFileSync(join(outDir, path), text)
  }
  const within = (address: string): string => (address.startsWith('/') ? base + address.slice(1) : address)
  /** With links to Markdown, so that a program can follow them. */
  const markdownOf = (page: Page): string =>
    sourceOf(page)
      .split(/(^```[^]*?^```)/m)
      .map((part) =>
        part.startsWith('```')
          ? part
          : part.replaceAll(
              // In the text, and below it: [name]: path
              /(\]\(|^\[[^\]]+\]: )([^)\s]+)/gm,
              (_, before: string, href: string) => before + within(links.addressOf(page.file, href, '.md')),
            ),
      )
      .join('')

  const lineOf = (page: Page): string =>
    `- [${page.title}](${within(`/${page.address}.md`)}): ${summaryOf(page)}`
  const listOf = ({ title, pages, shelves: below }: FilledShelf): string =>
    [`## ${title}`, '', ...pages.map(lineOf), '', ...below.map(listOf)].join('\n')
  const first: Page = { file: home, address: 'index', title: 'Octavo' }
  write('llms.txt', [`# Octavo`, '', `> ${summaryOf(first)}`, '', ...shelves.map(listOf)].join('\n'))

  const pages = [first, ...shelves.flatMap(pagesOf)]
  for (const page of pages) write(`${page.address}.md`, markdownOf(page))
  write(
    'llms-full.txt',
    pages.map((page) => `<!-- ${within(`/${page.address}.md`)} -->\n\n${markdownOf(page)}`).join('\n'),
  )
}
