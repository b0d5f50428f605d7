// `npm run generate` writes every file that is generated from source; with `--check` it only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format } from 'prettier'
import { architecturePage, stagesPage } from './generate/architecture-page.ts'
import { xxh64Code } from './generate/xxh64-code.ts'
import { claimsPage } from './generate/claims-page.ts'
import { clientOperators } from './generate/client-operators.ts'
import { commandPage } from './generate/command-page.ts'
import { definitionFileJsonSchema } from './generate/definition-file-schema.ts'
import { decisionsPage } from './generate/decisions-page.ts'
import { errorsPage } from './generate/errors-page.ts'
import { metricsPage } from './generate/metrics-page.ts'
import { openapi } from './generate/openapi.ts'
import { optionsPage } from './generate/options-page.ts'
import { commitPicture } from './generate/pictures/commit-picture.ts'
import { deploymentPicture } from './generate/pictures/deployment-picture.ts'
import { walkPicture } from './generate/pictures/walk-picture.ts'
import { schemaPage } from './generate/schema-page.ts'
import { wireHashes } from './generate/wire-hashes.ts'
import { wirePage } from './generate/wire-page.ts'

const generated: Readonly<Record<string, () => string | Promise<string>>> = {
  'ARCHITECTURE.md': architecturePage,
  'docs/decisions/README.md': decisionsPage,
  'docs/pictures/commit.svg': commitPicture,
  'docs/pictures/deployment.svg': deploymentPicture,
  'docs/pictures/walk.svg': walkPicture,
  'docs/reference/claims.md': claimsPage,
  'docs/reference/command.md': commandPage,
  'docs/reference/definition-file.schema.json': definitionFileJsonSchema,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/metrics.md': metricsPage,
  'docs/reference/openapi.json': openapi,
  'docs/reference/options.md': optionsPage,
  'docs/reference/wire.md': wirePage,
  'packages/client/src/hash/xxh64-code.ts': xxh64Code,
  'packages/client/src/query/operators.ts': clientOperators,
  'packages/cli/definition-file.schema.json': definitionFileJsonSchema,
  'packages/service/schema.sql': schemaPage,
  'packages/service/src/read/README.md': stagesPage,
  'packages/protocol/wire-hashes.json': () => JSON.stringify(wireHashes()),
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const root = join(import.meta.dirname, '..')
const style: object = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8'))
let stale = 0
for (const [path, make] of Object.entries(generated)) {
  const file = join(root, path)
  const made = await make()
  // SQL keeps PostgreSQL's own formatting, and Prettier does not know SVG.
  const text = /[.](sql|svg)$/.test(path) ? made : await format(made, { ...style, filepath: file })
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  if (before === text) continue
  stale += 1
  if (values.check) console.error(`${path} is out of date. Run \`npm run generate\` and review what changed.`)
  else {
    writeFileSync(file, text)
    console.log(`wrote ${path}`)
  }
}
process.exit(values.check && stale > 0 ? 1 : 0)
