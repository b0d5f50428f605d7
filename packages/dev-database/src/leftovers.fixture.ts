import { readdir, readFile, readlink } from 'node:fs/promises'

export type Leftovers = { readonly folders: readonly string[]; readonly processes: readonly string[] }

/** What remains of the clusters created in a folder: folders, and processes that name it or run in it. */
export async function leftoversIn(folder: string): Promise<Leftovers> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    pids.map(async (pid) => {
      const text = async (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      const [command, stat] = await Promise.all([text('cmdline'), text('stat')])
      const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      const dead = stat === '' || stat.includes(') Z ')
      const ours = `${command}${workingFolder}`.includes(folder)
      return ours && !dead ? [`${pid}: ${command.replaceAll('\0', ' ')}`] : []
    }),
  )
  const folders = (await readdir(folder)).filter((name) => name.startsWith('octavo-pg-'))
  return { folders, processes: processes.flat() }
}
