import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, type Cluster } from '@octavo/dev-database'
import type { Step } from './document-steps.ts'
import { openShell, type ReaderShell } from './reader-shell.ts'
import type { Page } from './readings.ts'
import { builtProgram } from '../../packages/octavo/bundle/built-program.ts'

export interface Reader {
  readonly follow: (page: Page, steps: readonly Step[]) => Promise<void>
  /** Where a document shows another text than was printed. */
  readonly differences: () => readonly string[]
  readonly close: () => Promise<void>
}

interface ReaderOptions {
  readonly root: string
  readonly scratch: string
  readonly cluster: Cluster
}

/** These run until Ctrl-C: the reader opens another shell for the next blocks, and pastes the lines to export there. */
const goesOn = /^octavo (serve|dev|demo)\b/
const isReady = { serve: /service listening/, dev: /Ctrl-C stops it/, demo: /Ctrl-C stops it/ } as const

export async function openReader({ root, scratch, cluster }: ReaderOptions): Promise<Reader> {
  const port = await freePort()
  const database = `octavo_${randomUUID().replaceAll('-', '')}`
  const folder = cloneOf(root, scratch)
  const programs = programFolder(root, scratch)
  const { host, user, password } = cluster
  const environment = {
    PATH: process.env['PATH'],
    OCTAVO_POSTGRES_BIN: cluster.binFolder,
    HOME: mkdtempSync(join(scratch, 'home-')),
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm',
    NO_COLOR: '1',
    // Halves the time in which a command starts.
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
    OCTAVO_PORT: String(port),
    PGHOST: host,
    PGPORT: String(cluster.port),
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
  }
  const shells: ReaderShell[] = []
  const differences: string[] = []
  let exported = ''
  let printed = ''

  const nextShell = async (): Promise<ReaderShell> => {
    const shell = openShell({ scratch, folder, environment, programs })
    shells.push(shell)
    await shell.paste(exported)
    return shell
  }
  const fill = (text: string): string =>
    filled(text, { port, databaseUrl: cluster.databaseUrl(database), printed })
  const paste = async (shell: ReaderShell, text: string): Promise<string> => {
    const shown = await shell.paste(fill(text))
    printed += shown
    return shown
  }
  const startIn = (shell: ReaderShell, line: string): Promise<string> => {
    const [, name] = goesOn.exec(line) ?? []
    return shell.start(fill(line), isReady[name as keyof typeof isReady])
  }
  const first = await nextShell()
  await first.paste(`createdb ${database}`)

  const follow: Reader['follow'] = async ({ document, given = '' }, steps) => {
    let shell = await nextShell()
    printed = ''
    await paste(shell, given)
    for (const step of steps) {
      if (step.kind === 'file') {
        await paste(shell, `cat > '${step.name}' <<'END-OF-FILE'\n${step.text}END-OF-FILE\n`)
      }
      if (step.kind !== 'commands') continue
      try {
        const lines = step.text.split('\n')
        const at = lines.findIndex((line) => goesOn.test(line))
        let shown = await paste(shell, at === -1 ? commandsOf(step) : lines.slice(0, at).join('\n'))
        if (at !== -1) {
          exported = exportsIn(await startIn(shell, lines[at] ?? ''))
          shell = await nextShell()
          shown = await paste(shell, lines.slice(at + 1).join('\n'))
        }
        if (step.shown !== undefined && timeless(shown) !== timeless(step.shown)) {
          differences.push(`${document}:${step.line} prints\n${shown}`)
        }
      } catch (error) {
        throw new Error(`${document}:${step.line} ${String(error)}\n${step.text}`, { cause: error })
      }
    }
  }
  return {
    follow,
    differences: () => differences,
    close: async () => void (await Promise.all(shells.map((shell) => shell.close()))),
  }
}

const commandsOf = ({ language, text }: Step & { readonly kind: 'commands' }): string =>
  language === 'sh'
    ? text
    : `psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 <<'END-OF-SQL'\n${text}END-OF-SQL\n`

const exportsIn = (text: string): string =>
  [...text.matchAll(/^ *(export \w+=\S+)$/gm)].map(([, line]) => `${line}\n`).join('')

/** Times differ from run to run. */
const timeless = (text: string): string => text.replaceAll(/ in \d+\.\d s/g, ' in 0.1 s')

interface Facts {
  readonly port: number
  readonly databaseUrl: string
  readonly printed: string
}

/** A reader puts real names in the place of those that the documents make up, and copies what was printed before. */
function filled(text: string, { port, databaseUrl, printed }: Facts): string {
  const url = `http://127.0.0.1:${port}`
  const token = printed.match(/oct_[\w-]{43}/g)?.at(-1) ?? ''
  const id = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(printed)?.[0] ?? ''
  const [, rid = '', schema = ''] = /(ri\.ontology\S+)\|(\w+)/.exec(printed) ?? []
  return (
    text
      .replaceAll(/postgres:\/\/octavo:(PASSWORD|secret)@127.0.0.1(:5432)?\/octavo/g, databaseUrl)
      .replace(/^octavo (dev|demo)$/m, `octavo $1 --port ${port}`)
      .replace(/^octavo demo /m, `octavo demo --objects 2000 --port ${port} `)
      .replace(
        'octavo login --url https://octavo.example.com',
        `OCTAVO_TOKEN=${token} octavo login --url ${url}`,
      )
      .replace(/ri\.ontology\.main\.ontology\.5c0b8d1e-[\w-]+/, rid)
      .replace('octavo_0123abcd', schema)
      // `set -e` does not end a shell for what fails before `&&`.
      .replaceAll(' && ', '\n')
      .replace('token revoke 5b6f3a0e-7a53-4c0f-9f0e-3f1f0f3f8f11', `token revoke ${id}`)
  )
}

/** Looks like a clone of the repository; what is written there stays there. */
function cloneOf(root: string, scratch: string): string {
  const folder = mkdtempSync(join(scratch, 'clone-'))
  for (const name of readdirSync(root)) symlinkSync(join(root, name), join(folder, name))
  return folder
}

/**
 * The only programs that the reader has. A document that installs, removes or publishes something can do no harm here: its
 * command is not found, and its block needs a reason why it is not run.
 */
const ofTheSystem = [
  'cat',
  'createdb',
  'cut',
  'grep',
  'gzip',
  'head',
  'mkdir',
  'mv',
  'openssl',
  'pg_dump',
  'pg_restore',
  'psql',
  'python3',
  'sed',
  'tail',
  'tr',
]

function programFolder(root: string, scratch: string): string {
  const folder = mkdtempSync(join(scratch, 'programs-'))
  const node = `'${process.execPath}'`
  const commands = {
    node,
    // A refusal of the service is a failure of the command.
    curl: 'curl --fail-with-body --silent --show-error',
    octavo: `${node} '${builtProgram('octavo')}'`,
    ...Object.fromEntries(ofTheSystem.map((name) => [name, name])),
  }
  for (const [name, command] of Object.entries(commands)) {
    const script = `#!/bin/sh\nexport PATH='${process.env['PATH']}'\nexec ${command} "$@"\n`
    writeFileSync(join(folder, name), script, { mode: 0o755 })
  }
  return folder
}
