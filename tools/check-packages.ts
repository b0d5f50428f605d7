// What is published can be imported: exports resolve to built files, with types.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const packages = join(import.meta.dirname, '../packages')
let problems = 0
for (const name of readdirSync(packages)) {
  const pkgDir = join(packages, name)
  const pkg: Record<string, unknown> = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'))
  if (pkg['private'] === true) continue
  const { messages } = await publint({ pkgDir, strict: true, pack: 'npm' })
  // The source condition is for this workspace alone; its target is not published, on purpose.
  const real = messages.filter((message) => !('path' in message && message.path.includes('@octavo/source')))
  for (const message of real) console.error(`${name}: ${formatMessage(message, pkg) ?? message.code}`)
  problems += real.length
}
process.exit(problems === 0 ? 0 : 1)
