// The command as few files: with each module in its own file, a start is nearly all loading (1.3 CPU seconds for `octavo --help`, 0.2
// as a bundle). Files that the code reads are copied next to it, so the folder works wherever it is put.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown, type Plugin, type RolldownOutput } from 'rolldown'
import { licencesOf } from './licences.ts'
import { root } from './root.ts'

const entries = {
  octavo: join(root, 'packages/cli/src/main.ts'),
  /** The service without the command; tests start it. */
  service: join(root, 'packages/service/src/main.ts'),
}

/** The driver asks for its native variant, which we do not use. */
const external = ['pg-native']

/** Replaces what `folder` holds. */
export async function bundleInto(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: entries,
    platform: 'node',
    external,
    resolve: { conditionNames: ['@octavo/source'] },
    plugins: [ownFiles(folder), filesOfPackages(folder)],
    onLog: (level, { message }) => {
      if (level === 'warn' && !message.includes('node_modules')) process.stderr.write(`${message}\n`)
    },
  })
  const { output } = await bundle.write({ dir: folder, format: 'esm' })
  await bundle.close()
  checkImports(output)
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
  writeFileSync(join(folder, 'LICENCES.txt'), licencesOf(modules))
}

/** A package that is not in the bundle would be missing only where nothing else is installed. */
function checkImports(output: RolldownOutput['output']): void {
  const chunks = output.filter((part) => part.type === 'chunk')
  const names = new Set(chunks.map(({ fileName }) => fileName))
  const others = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !names.has(name) && !isBuiltin(name) && !external.includes(name))
  if (others.length > 0) throw new Error(`Not in the bundle: ${[...new Set(others)].join(', ')}`)
}

const beside = 'files'

/** Copies a file or a folder of the repository into the bundle, and returns its path there. */
function copy(folder: string, source: string): string {
  if (!existsSync(source))
    throw new Error(
      `${relative(root, source)} is missing: run \`npm ci\`, which makes it, or \`npm run build\`.`,
    )
  const path = join(beside, relative(root, source))
  const target = join(folder, path)
  if (basename(source) !== 'package.json') cpSync(source, target, { recursive: true })
  else {
    // What else a manifest says would be taken for that of a package here.
    const { name, version }: { readonly name: string; readonly version: string } = JSON.parse(
      readFileSync(source, 'utf8'),
    )
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, JSON.stringify({ name, version, type: 'module' }))
  }
  return path
}

/** Our modules name their files relative to themselves, in two forms. */
const ownFiles = (folder: string): Plugin => ({
  name: 'own-files',
  transform: {
    filter: { id: /\/packages\/[^/]+\/src\/.*[.]ts$/, code: /import[.]meta[.](url|dirname)/ },
    handler: (code, id) => {
      const copied = (path: string) => copy(folder, resolve(dirname(id), path))
      const bundled = code
        .replaceAll(
          /new URL\('([^']+)', import[.]meta[.]url\)/g,
          (_all, path: string) => `new URL('./${copied(path)}', import.meta.url)`,
        )
        .replaceAll(
          /join\(import[.]meta[.]dirname, '([^']+)'\)/g,
          (_all, path: string) => `join(import.meta.dirname, '${copied(path)}')`,
        )
      return { code: bundled, map: null }
    },
  },
})

/** What other packages read from beside their modules while the service runs. */
const readByPackages = [
  '@fastify/swagger/package.json',
  '@fastify/swagger-ui/static',
  '@fastify/swagger-ui/lib/static',
]

/** Start threads that we do not use. */
const neverReached = /\/node_modules\/(pino|thread-stream|jiti)\//

const filesOfPackages = (folder: string): Plugin => {
  const place = '\0octavo:files'
  return {
    name: 'files-of-packages',
    buildStart: () => {
      for (const path of readByPackages) {
        const source = join(root, 'node_modules', path)
        if (existsSync(source)) copy(folder, source)
      }
    },
    resolveId: (id) => (id === place ? id : null),
    load: (id) => (id === place ? `export const root = import.meta.dirname + '/${beside}'` : null),
    transform: {
      filter: { id: { include: /\/node_modules\//, exclude: neverReached }, code: /\b__dirname\b/ },
      handler: (code, id) => {
        const path = relative(root, dirname(id))
        if (!readByPackages.some((read) => id.includes(`/${read.split('/').slice(0, 2).join('/')}/`))) {
          throw new Error(`${relative(root, id)} reads files beside itself: say which in readByPackages.`)
        }
        return { code: `const __dirname = require('${place}').root + '/${path}';\n${code}`, map: null }
      },
    },
  }
}
