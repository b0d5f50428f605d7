import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

/**
 * Of these, about 2 kB are the checks of options and the words that say what was probably meant; the checksum, streams and parts are
 * 1 kB each, differences and following them 2 kB, walks that continue in a later state half a kB.
 */
const mostBytes = 16_384

it(`is at most ${mostBytes} bytes for a browser, and brings nothing else along`, async () => {
  const bundle = await rolldown({ input: join(import.meta.dirname, 'index.ts') })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  expect(output).toHaveLength(1)
  const [{ code, imports, moduleIds }] = output
  const bytes = gzipSync(code, { level: 9 }).length
  process.stdout.write(`@octavo/client: ${bytes} bytes, minified and gzipped\n`)
  expect(bytes).toBeLessThanOrEqual(mostBytes)
  expect(imports).toEqual([])
  expect(moduleIds.filter((id) => !id.startsWith(import.meta.dirname))).toEqual([])
  // The code uses only what Node, browsers, Deno and Bun all have.
  expect(code).not.toMatch(/\b(Buffer|process|require|window|document)\b/)
})
