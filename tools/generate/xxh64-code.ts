// The hash of the client as WebAssembly, in base64.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import loadAssembler from 'wabt'

export async function xxh64Code(): Promise<string> {
  const file = 'xxh64.wat'
  const source = readFileSync(join(import.meta.dirname, '../../packages/client', file), 'utf8')
  const assembler = await loadAssembler()
  const { buffer } = assembler.parseWat(file, source).toBinary({})
  return `// Generated from ${file} by \`npm run generate\`.
export const xxh64Code = '${Buffer.from(buffer).toString('base64')}'
`
}
