// A real terminal of 80 columns and 24 lines, in which a test types as a person does. tmux draws it.
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'

export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

/** For the title of a test that is skipped where one of these programs is missing. */
export const needing = (...programs: readonly string[]): string => {
  const missing = programs.filter((program) => !isInstalled(program))
  return missing.length === 0 ? '' : ` (skipped: ${missing.join(' and ')} not installed)`
}

export interface Terminal {
  /** The folder that the shell starts in. */
  readonly folder: string
  /** Gives up what is typed, and leaves nothing but an empty prompt. */
  readonly startAgain: () => Promise<void>
  /** Types a command and returns the screen once it has ended: the last line is its exit code, as `[0]`. */
  readonly run: (command: string) => Promise<string>
  readonly type: (text: string) => void
  /** Presses keys by their names: Enter, Tab, C-c. */
  readonly press: (...keys: readonly string[]) => void
  readonly screen: () => string
  /** The screen as soon as it fits. */
  readonly screenWith: (pattern: RegExp) => Promise<string>
  readonly close: () => void
}

interface TerminalOptions {
  readonly shell?: 'bash' | 'zsh' | 'fish'
  readonly environment?: Readonly<Record<string, string>>
}

const plainShells = {
  bash: ['bash', '--norc', '--noprofile'],
  zsh: ['zsh', '-f'],
  fish: ['fish', '--no-config'],
} as const

/** The shell finds the command of this repository as `octavo`. */
export async function openTerminal({ shell = 'bash', environment = {} }: TerminalOptions): Promise<Terminal> {
  const socket = `octavo-${randomUUID()}`
  const folder = mkdtempSync(join(tmpdir(), 'octavo-terminal-'))
  const programs = commandFolder(folder)
  // The server of tmux starts with the first call, and its shells get what it was given.
  const environmentOfShell = {
    ...process.env,
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm',
    PATH: `${programs}:${process.env['PATH']}`,
    HOME: folder,
    PS1: '$ ',
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_CACHE_HOME: join(folder, '.cache'),
    ...environment,
  }
  const tmux = (...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      env: environmentOfShell,
    })
    if (status !== 0) throw new Error(`tmux ${words[0]}: ${stderr}`)
    return stdout
  }
  tmux('new-session', '-d', '-x', '80', '-y', '24', '-c', folder, plainShells[shell].join(' '))
  tmux('set-option', '-g', 'status', 'off')
  const screen = () => tmux('capture-pane', '-p').trimEnd()
  const type = (text: string) => void tmux('send-keys', '-l', text)
  const press = (...keys: readonly string[]) => void tmux('send-keys', ...keys)
  const screenWith = async (pattern: RegExp): Promise<string> => {
    const deadline = Date.now() + 60_000
    for (;;) {
      const shown = screen()
      if (pattern.test(shown)) return shown
      if (Date.now() > deadline) throw new Error(`the screen never showed ${pattern}:\n${shown}`)
      await sleep(100)
    }
  }
  await screenWith(/[$%>#] ?$/)
  const clear = async () => {
    press('C-l')
    await screenWith(/^[^\n]*[$%>#] ?$/)
  }
  return {
    folder,
    startAgain: async () => {
      press('C-c')
      // An interrupt throws away what is typed before the next prompt.
      await screenWith(/[$%>#] ?$/)
      await clear()
    },
    type,
    press,
    screen,
    screenWith,
    run: async (command) => {
      // The exit code of an earlier command must not be taken for that of this one.
      await clear()
      type(`clear; ${command}; echo "[$${shell === 'fish' ? 'status' : '?'}]"`)
      press('Enter')
      // With the next prompt: an interrupt before it would leave fish without one.
      return (await screenWith(/^\[\d+\]\n[^\n]*[$%>#]$/m)).replace(/\n[^\n]*[$%>#]$/, '')
    },
    close: () => {
      tmux('kill-server')
      // The shell that was just ended may still be writing its history.
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    },
  }
}

function commandFolder(folder: string): string {
  const programs = join(folder, '.programs')
  mkdirSync(programs)
  const script = join(programs, 'octavo')
  writeFileSync(script, `#!/bin/sh\nexec '${process.execPath}' '${builtProgram('octavo')}' "$@"\n`)
  chmodSync(script, 0o755)
  return programs
}
