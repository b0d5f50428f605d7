// The file with the options of the service: read by a shell, by systemd and by Docker, so each line is NAME=value.
import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { fileErrorOf } from '../base/file-error.ts'

/** The variables of the file; none if there is no file. A value that ends in `replace-me` is one of an example. */
export function readEnvFile(path: string): ReadonlyMap<string, string> {
  const text = textOf(path)
  if (text === undefined) return new Map()
  const found = Object.entries(parseEnv(text)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return new Map(found.filter(([, value]) => value !== '' && !/replace-me/.test(value)))
}

/** Adds the variables; nobody else can read the file, at any time. Lines of an example are replaced. */
export function addToEnvFile(path: string, variables: ReadonlyMap<string, string>): void {
  if (variables.size === 0) return
  const lines = [...variables].map(([name, value]) => `${name}=${shellQuoted(value)}\n`).join('')
  try {
    const before = textOf(path)
    if (before === undefined) return writeFileSync(path, lines, { mode: 0o600, flag: 'wx' })
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
    const isExample = (line: string): boolean =>
      /replace-me/.test(line) && [...variables.keys()].some((name) => line.startsWith(`${name}=`))
    const kept = before.split('\n').filter((line) => !isExample(line))
    if (kept.join('\n') !== before) writeFileSync(path, kept.join('\n'))
    appendFileSync(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${lines}`)
  } catch (error) {
    throw fileErrorOf(error, path) ?? error
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileErrorOf(error, path) ?? error
  }
}

/** Docker takes quotes as part of the value, so they are used only where a shell needs them. */
export const shellQuoted = (value: string): string =>
  /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
