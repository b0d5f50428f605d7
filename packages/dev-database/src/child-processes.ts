import { readdir, readFile } from 'node:fs/promises'
import { platform } from 'node:process'
import { runProgram } from './run-program.ts'

/** The ids of the direct children of a process. */
export async function childProcesses(parent: number): Promise<readonly number[]> {
  const pairs = platform === 'linux' ? await parentsFromProc() : await parentsFromPs()
  return pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
}

type PidAndParent = readonly [pid: number, ppid: number]

// Not ps: slim Debian images do not have it.
async function parentsFromProc(): Promise<readonly PidAndParent[]> {
  const names = await readdir('/proc')
  return Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
        // The program's name is in parentheses and may contain any character.
        const afterName = stat.slice(stat.lastIndexOf(')') + 2)
        return [Number(name), Number(afterName.split(' ')[1])] as const
      }),
  )
}

async function parentsFromPs(): Promise<readonly PidAndParent[]> {
  const table = (await runProgram('ps', ['-A', '-o', 'pid=', '-o', 'ppid='])) ?? ''
  return table.split('\n').map((line) => {
    const [pid, ppid] = line.trim().split(/ +/)
    return [Number(pid), Number(ppid)] as const
  })
}
