// Builds the pages into dist/pages, compressed once here, so that the service never compresses them.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

const folder = join(import.meta.dirname, 'dist/pages')

const compressed: Plugin = {
  name: 'compressed',
  closeBundle: () => {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/[.](html|js|css|svg)$/.test(name)) continue
      const bytes = readFileSync(join(folder, name))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      const quality = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      }
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params: quality }))
    }
  },
}

/** Emptied only once the new pages are complete: a service may be reading the old ones. */
const emptyAtEnd = (): Plugin => {
  const written = new Set<string>()
  return {
    name: 'empty-at-end',
    writeBundle: (_options, bundle) => {
      for (const name of Object.keys(bundle)) written.add(name)
    },
    closeBundle: () => {
      for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
        const isOld = !written.has(name.replace(/[.](gz|br)$/, ''))
        if (isOld && statSync(join(folder, name)).isFile()) rmSync(join(folder, name))
      }
    },
  }
}

export default defineConfig({
  root: join(import.meta.dirname, 'app'),
  base: '/explorer/',
  resolve: { conditions: ['@octavo/source', 'browser', 'module'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  plugins: [compressed, emptyAtEnd()],
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: 'es2024',
    // A strict content security policy allows neither data: scripts nor inline ones.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
