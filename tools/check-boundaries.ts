// Runs the rules of .dependency-cruiser.mjs. A cruise that read too little proves nothing,
// so it fails as well (with a compiler it cannot use, dependency-cruiser reads 0 modules and exits 0).
import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { globSync } from 'node:fs'
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'

const { values } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '..') } },
})
const root = resolve(values.root)
process.chdir(root)

const configFile = join(root, '.dependency-cruiser.mjs')
const config: { default: { forbidden: IForbiddenRuleType[]; options: Record<string, unknown> } } =
  await import(pathToFileURL(configFile).href)
const { forbidden, options } = config.default

const reply = await cruise(
  ['packages', 'tools', 'bench'],
  { ...options, validate: true, ruleSet: { forbidden } },
  {},
  { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
)
if (typeof reply.output === 'string') throw new Error('dependency-cruiser answered with text')
const result = reply.output

const written = globSync('packages/*/src/**/*.ts').length
const read = result.modules.filter((module) => /^packages\/.*[.]ts$/.test(module.source)).length
for (const { from, to, rule } of result.summary.violations) {
  const comment = forbidden.find((candidate) => candidate.name === rule.name)?.comment
  console.error(`${rule.name}: ${from} -> ${to}\n  ${comment}`)
}
if (read < written) {
  console.error(`Only ${read} of ${written} source files were read, so the rules prove nothing.`)
  process.exit(1)
}
console.log(`${read} modules, ${forbidden.length} rules, ${result.summary.violations.length} violations`)
process.exit(result.summary.violations.length === 0 ? 0 : 1)
