// A real PgBouncer in front of a test database.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@octavo/dev-database'

export interface PgBouncer {
  /** The URL of the same database, through PgBouncer. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Debian's version, which supports session mode but not prepared statements in transaction mode. */
export const installedPgBouncer = (): string | undefined =>
  ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync)

/** Version 1.21 or later, if the developer has one. */
export const newPgBouncer = (): string | undefined => process.env['OCTAVO_TEST_PGBOUNCER'] || undefined

export interface PgBouncerOptions {
  readonly program: string
  readonly databaseUrl: string
  readonly mode: 'session' | 'transaction'
  /** The number of sessions on the server. */
  readonly poolSize: number
}

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const { hostname, port, username, password } = new URL(options.databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'octavo-pgbouncer-'))
  const listenPort = await freePort()
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users'),
    pool_mode: options.mode,
    default_pool_size: options.poolSize,
    max_client_conn: 200,
    ...(options.mode === 'transaction' && { max_prepared_statements: 200 }),
  }
  writeFileSync(join(folder, 'users'), `"${username}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]\n* = host=${hostname} port=${port}\n[pgbouncer]\n${Object.entries(settings)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join('')}`,
  )
  // PgBouncer refuses to run as root, as PostgreSQL does.
  const user = process.getuid?.() === 0 ? identityOf('postgres') : {}
  if (user.uid !== undefined) execFileSync('chown', ['-R', 'postgres', folder])
  const running = spawn(options.program, [join(folder, 'pgbouncer.ini')], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  running.stderr.on('data', (text: Buffer) => (log += text.toString()))
  const ended = once(running, 'exit')
  const url = new URL(options.databaseUrl)
  url.port = String(listenPort)
  const stop = async (): Promise<void> => {
    running.kill('SIGTERM')
    running.kill('SIGINT')
    await Promise.race([ended, sleep(5_000).then(() => running.kill('SIGKILL'))])
    await ended
    rmSync(folder, { recursive: true })
  }
  for (let tries = 0; !(await isListening(listenPort)); tries += 1) {
    if (running.exitCode !== null || tries > 200) {
      await stop()
      throw new Error(`PgBouncer did not start: ${log}`)
    }
    await sleep(50)
  }
  return { url: url.href, stop }
}

function identityOf(name: string): { readonly uid?: number; readonly gid?: number } {
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
