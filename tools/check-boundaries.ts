// Runs the rules of .dependency-cruiser.mjs. A cruise that read too little proves nothing, so it also fails (with a compiler
// it cannot use, dependency-cruiser reads 0 modules and exits 0).
import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { globSync } from 'node:fs'
import { cruise, type IForbiddenRuleType } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { importsInFolderCycles } from './check/folder-cycles.ts'

const { values } = parseArgs({
  options: { root: { type: 'string', default: join(import.meta.dirname, '..') } },
})
const root = resolve(values.root)
process.chdir(root)

const configFile = join(root, '.dependency-cruiser.mjs')
interface Config {
  readonly forbidden: IForbiddenRuleType[]
  readonly folderCycles: { readonly name: string; readonly comment: string }
  readonly options: Record<string, unknown>
}
const config: { default: Config } = await import(pathToFileURL(configFile).href)
const { forbidden, folderCycles, options } = config.default

const reply = await cruise(
  ['packages', 'tools', 'proofs'],
  { ...options, validate: true, ruleSet: { forbidden } },
  {},
  { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
)
if (typeof reply.output === 'string') throw new Error('dependency-cruiser answered with text')
const result = reply.output

const written = globSync('packages/*/{src,test,app}/**/*.{ts,tsx}').length
const isSource = (path: string): boolean => /^packages\/[^/]+\/(?:src|test|app)\/.*[.]tsx?$/.test(path)
const read = result.modules.filter((module) => isSource(module.source)).length
/** The package that the code belongs to; other rules say which packages it may use. */
const packageOf = (path: string): string | undefined =>
  /^packages\/([^/]+)\/(?:src|app)\/.*(?<![.]test)[.]tsx?$/.exec(path)?.[1]
const isWithinPackage = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  packageOf(from) !== undefined && packageOf(from) === packageOf(to)
const imports = result.modules.flatMap(({ source, dependencies }) =>
  dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
)
const violations = [
  ...result.summary.violations.map(({ from, to, rule: { name } }) => ({ from, to, name })),
  ...importsInFolderCycles(imports.filter(isWithinPackage)).map((found) => ({
    ...found,
    name: folderCycles.name,
  })),
]
const comments = new Map([...forbidden, folderCycles].map(({ name, comment }) => [name, comment]))
for (const { from, to, name } of violations)
  console.error(`${name}: ${from} -> ${to}\n  ${comments.get(name)}`)
// Not process.exit, which would cut off what a pipe has not taken yet.
if (read < written) {
  console.error(`Only ${read} of ${written} source files were read, so the rules prove nothing.`)
  process.exitCode = 1
} else {
  console.log(`${read} modules, ${comments.size} rules, ${violations.length} violations`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
