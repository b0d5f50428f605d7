import { dirname } from 'node:path'

export interface Import {
  readonly from: string
  readonly to: string
}

/** The imports between folders that can reach each other, so that neither comes before the other. */
export function importsInFolderCycles(imports: readonly Import[]): readonly Import[] {
  const between = imports.filter(({ from, to }) => dirname(from) !== dirname(to))
  const used = new Map<string, Set<string>>()
  for (const { from, to } of between) {
    const folders = used.get(dirname(from)) ?? new Set()
    used.set(dirname(from), folders.add(dirname(to)))
  }
  const reaches = (start: string, goal: string): boolean => {
    const seen = new Set<string>()
    const next = [start]
    for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
      if (folder === goal) return true
      if (seen.has(folder)) continue
      seen.add(folder)
      next.push(...(used.get(folder) ?? []))
    }
    return false
  }
  return between.filter(({ from, to }) => reaches(dirname(to), dirname(from)))
}
