// The alert rules of deploy/, sped up: the same expressions with every time shortened, and with limits that can be reached
// in a minute where the real ones need hours. All changes are listed here and nowhere else.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const rules = readFileSync(fileURLToPath(import.meta.resolve('../../deploy/prometheus/alerts.yaml')), 'utf8')

interface Group {
  readonly rules: readonly { readonly alert: string }[]
}

export const alertNames: readonly string[] = (
  parse(rules) as { readonly groups: readonly Group[] }
).groups.flatMap((group) => group.rules.map(({ alert }) => alert))

interface Shortcut {
  readonly from: RegExp
  readonly to: string
}

const shortcuts: readonly Shortcut[] = [
  { from: /\bfor: \d+[smh]\b/g, to: 'for: 2s' },
  { from: /\[\d+[smh]\]/g, to: '[15s]' },
  // OctavoHistoryLarge: the real limit is 10 GiB of history.
  { from: /10 \* 1024 \^ 3/g, to: '100 * 1024' },
  // OctavoReplicaBehind: the real limit is half a minute.
  { from: /\(octavo_replica_lag_seconds\) > 30/g, to: '(octavo_replica_lag_seconds) > 3' },
]

export function quickRules(): string {
  let quick = rules
  for (const { from, to } of shortcuts) {
    const next = quick.replaceAll(from, to)
    if (next === quick)
      throw new Error(`No rule in alerts.yaml says ${from.source} any more: change quick-rules.ts.`)
    quick = next
  }
  return quick
}
