// The versions of an object: at every commit that can be read, they say what the object was.
import { readTypes } from '../history.ts'
import { seenObject, type Run } from '../run.ts'
import { canonical } from '../state.ts'
import type { Page, Record1 } from '../answers.ts'
import { allPages } from './pages.ts'

interface ObjectVersion {
  readonly type: 'put' | 'delete'
  readonly version: string
  readonly untilVersion?: string
  readonly object?: Record1
}

interface VersionsPage extends Page<ObjectVersion> {
  readonly oldestReadable: { readonly version: string }
}

export async function versions(run: Run): Promise<void> {
  const { chance, things } = run
  const [caller, type, primaryKey] = [chance.one(run.readers), chance.one(readTypes), things.key()]
  const walked = await allPages<ObjectVersion, VersionsPage>(run, {
    caller,
    request: (pageToken) => {
      const query = new URLSearchParams({
        pageSize: String(1 + chance.below(20)),
        ...(pageToken && { pageToken }),
      })
      return {
        method: 'GET',
        path: `${run.paths.typed(type)}/objects/${encodeURIComponent(primaryKey)}/versions?${query.toString()}`,
      }
    },
    // That none can be read is not checked: an object that is hidden looks like one that never was.
    onRefusal: async ({ errorName }) => errorName === 'ObjectNotFound',
  })
  if (walked === undefined) return
  const { items, last } = walked
  const [from, to] = [Number(last.oldestReadable.version), Number(last.version)]
  run.later(() => {
    run.count('checked versions')
    const details = { type, primaryKey, from, to, answer: items.slice(0, 10), groups: caller.groups }
    const between = run.history[type].commits().filter(({ version }) => version > from && version <= to)
    for (const version of [from, ...between.map(({ version }) => version)]) {
      const answer = items.find((item) => Number(item.version) <= version)
      const got = answer?.type === 'put' ? canonical(answer.object?.properties) : undefined
      const want = seenObject(run, caller, type, version, primaryKey)
      if (got === want) continue
      run.violation('the versions of an object say something else', { ...details, version, got, want })
      return
    }
    for (const [i, item] of items.entries()) {
      const later = items[i - 1]
      if (later !== undefined && Number(later.version) <= Number(item.version))
        run.violation('versions are not in order', details)
      if (item.type === 'put' && item.untilVersion !== later?.version)
        run.violation('a version lasts until another than the next', { ...details, item })
    }
  })
}
