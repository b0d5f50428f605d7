// Serves the page and, beside it, the client as one file: `serve.ts [port]`.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const bundle = await rolldown({ input: join(import.meta.dirname, '../../packages/client/src/index.ts') })
const { output } = await bundle.generate({ format: 'esm', minify: true })
const file = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', file('index.html')],
  '/page.js': ['text/javascript', file('page.js')],
  '/client.js': ['text/javascript', output[0].code],
}

const server = createServer(({ url = '' }, reply) => {
  const [type, text] = files[url] ?? ['text/plain', undefined]
  reply.writeHead(text === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(text)
})
server.listen(Number(process.argv[2] ?? 8090), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/`)
})
