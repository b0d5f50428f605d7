// The site shows the Markdown of this repository as it is: `srcDir` is the root, and addresses are given by shelves.ts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type DefaultTheme } from 'vitepress'
import { Links, repository, slugOf } from '../links.ts'
import { search } from '../search.ts'
import { filledShelves, type FilledShelf, home, type Page, pagesOf, root } from '../shelves.ts'
import { summaryOf, writeTexts } from '../texts.ts'

const shelves = filledShelves()
const pages = [{ file: home, address: 'index', title: 'Octavo' }, ...shelves.flatMap(pagesOf)]
const pageOf = new Map(pages.map((page) => [page.file, page]))
const links = new Links(pages)

/** Where the site will be; the workflow that publishes it knows. */
const base = `${new URL(process.env['SITE_URL'] ?? 'http://localhost').pathname.replace(/\/$/, '')}/`

const linkTo = ({ address }: Page): string => `/${address.replace(/(^|\/)index$/, '$1')}`
const toSidebar = ({ title, pages: own, shelves: below }: FilledShelf): DefaultTheme.SidebarItem => {
  const about = own.find(({ file }) => file.endsWith('/README.md'))
  return {
    text: title,
    ...(about && { link: linkTo(about) }),
    // Until one of its pages is open: so all shelves are in sight.
    collapsed: true,
    items: [
      ...own.filter((page) => page !== about).map((page) => ({ text: page.title, link: linkTo(page) })),
      ...below.map(toSidebar),
    ],
  }
}

const firstOf = (title: string): string => {
  const first = shelves.find((shelf) => shelf.title === title)?.pages[0]
  if (first === undefined) throw new Error(`there is no shelf "${title}", or nothing on it`)
  return linkTo(first)
}

const isHidden = (path: string): boolean => /(?:^|\/)(?:node_modules|dist|[.][^/]+)$/.test(path)
const icon = readFileSync(join(root, 'packages/explorer/app/icon.svg'), 'utf8')

export default defineConfig({
  title: 'Octavo',
  lang: 'en-GB',
  description: summaryOf(pages[0] as Page),
  base,
  srcDir: '..',
  srcExclude: globSync('**/*.md', { cwd: root, exclude: isHidden }).filter((file) => !pageOf.has(file)),
  rewrites: (file) => `${pageOf.get(file)?.address ?? file}.md`,
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: {
    // The usual themes are too faint on our backgrounds.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    anchor: { slugify: slugOf },
    languageAlias: { ndjson: 'json' },
    // Braces are text here: `{apiFamily}` is a part of an address.
    attrs: { disable: true },
    config: (md) => {
      // Without this, README.md in a text would be a link to a host in Moldova.
      md.linkify.set({ fuzzyLink: false })
      md.use(links.plugin)
    },
  },
  themeConfig: {
    siteTitle: 'Octavo',
    nav: [
      ...['Start', 'Reference', 'Why'].map((title) => ({ text: title, link: firstOf(title) })),
      { text: 'Specification', link: '/spec/' },
    ],
    sidebar: shelves.map(toSidebar),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: search },
    editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' },
    socialLinks: [{ icon: 'github', link: repository }],
  },
  transformPageData: ({ filePath, frontmatter }) => {
    const page = pageOf.get(filePath)
    if (page === undefined) return undefined
    // A page without headings below its title is a table, which gets the room of the outline.
    const hasOutline = /^## /m.test(readFileSync(join(root, filePath), 'utf8'))
    return {
      description: summaryOf(page),
      frontmatter: hasOutline ? frontmatter : { ...frontmatter, aside: false, pageClass: 'wide' },
    }
  },
  buildEnd: ({ outDir }) => {
    writeTexts(shelves, links, outDir, base)
    const problems = links.problems()
    if (problems.length > 0) throw new Error(`Links lead nowhere:\n${problems.join('\n')}`)
  },
  vite: {
    // The index of the search, which is loaded when somebody searches.
    build: { chunkSizeWarningLimit: 1_000 },
    publicDir: false,
    // The root has other pages, which are not for this Vite.
    optimizeDeps: { entries: ['site/.vitepress/theme/index.ts'] },
    plugins: [
      {
        // The pages are outside of this folder, and do not find what is installed in it. When they are rendered, they are inside.
        name: 'vue-is-here',
        enforce: 'pre',
        resolveId: (id, _importer, { ssr }) =>
          ssr && /^vue(?:\/|$)/.test(id) ? { id, external: true } : undefined,
      },
    ],
  },
})
