// Writers of every kind. Each commits until it knows the outcome, and records it in the history.
import { setTimeout as sleep } from 'node:timers/promises'
import { readTypes, type Receipt, type TypeName } from './history.ts'
import type { Run } from './run.ts'
import { definitionOf } from './setting.ts'
import type { Change } from './state.ts'
import { allKeys, often } from './things.ts'

type Write = (run: Run) => Promise<void>

interface Writer {
  readonly write: Write
  readonly restMs: number
}

const batchOf =
  (type: TypeName): Write =>
  (run) =>
    commitBatch(run, type, run.things.changes(type), 'batch')

export const writers: readonly Writer[] = [
  { write: batchOf('item'), restMs: 60 },
  { write: batchOf('item'), restMs: 300 },
  { write: batchOf('doc'), restMs: 120 },
  { write: batchOf('owner'), restMs: 400 },
  { write: commitTwoTypes, restMs: 500 },
  { write: commitMuch, restMs: 1_500 },
  { write: defineAnew(), restMs: 5_000 },
]

/** Writes until the run ends; the promise of each write is returned, so that checks can wait for it. */
export async function keepWriting(
  run: Run,
  { write, restMs }: Writer,
  onWrite: (written: Promise<void>) => void,
): Promise<void> {
  while (run.isGoingOn()) {
    await run.turn()
    const written = write(run).catch((error: unknown) => run.violation('a writer failed', String(error)))
    onWrite(written)
    await written
    await sleep(run.chance.below(restMs))
  }
}

const lineOf = (change: Change, objectType?: TypeName): string => JSON.stringify({ ...change, objectType })
const linesOf = (changes: readonly Change[], objectType?: TypeName): string =>
  changes.map((change) => lineOf(change, objectType)).join('\n')

const idempotencyKey = (): string => crypto.randomUUID()

interface Sent {
  readonly method?: 'POST' | 'PUT'
  readonly path: string
  readonly body?: object | string
  readonly by: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The receipt; undefined if it was refused, so that nothing is committed. */
async function sent<R extends Receipt>(
  run: Run,
  { method = 'POST', path, body, by, headers = {} }: Sent,
): Promise<R | undefined> {
  for (;;) {
    const request = { method, path, headers, ...(body !== undefined && { body }) }
    const answer = await run.ask<R>(run.writer, request)
    if (answer.isDone) return answer.json
    const { errorName } = answer.refusal
    if (errorName === 'OutcomeUnknown') continue
    run.count(`refused ${by} ${errorName}`)
    // A load that is finished after somebody else has replaced the contents is refused.
    if (errorName !== 'LoadOutdated')
      run.violation('a write was refused', { by, path, refusal: answer.refusal })
    return undefined
  }
}

function remember(
  run: Run,
  type: TypeName,
  receipt: Receipt,
  commit: { changes: readonly Change[]; isReplaced?: boolean; isCross?: boolean; by: string },
): void {
  const { changes, isReplaced = false, isCross = false, by } = commit
  const { version, committedAt } = receipt
  run.history[type].add({
    version: Number(version),
    at: committedAt,
    changes,
    isReplaced,
    isCross,
    receipt,
    by,
  })
  run.count(`commits ${by}`)
  if (receipt.replayed === true) run.count('commits acknowledged again')
}

async function commitBatch(run: Run, type: TypeName, changes: readonly Change[], by: string): Promise<void> {
  const receipt = await sent(run, {
    path: `${run.paths.managed(type)}/batches`,
    body: linesOf(changes),
    by,
    headers: { 'idempotency-key': idempotencyKey() },
  })
  if (receipt !== undefined) remember(run, type, receipt, { changes, by })
}

async function commitTwoTypes(run: Run): Promise<void> {
  const putsOf = (type: TypeName) => run.things.changes(type).filter((change) => change.type !== 'delete')
  const [items, owners] = [putsOf('item'), putsOf('owner')]
  if (items.length === 0 || owners.length === 0) return
  const by = 'two types'
  const receipt = await sent(run, {
    path: `${run.paths.manage}/batches`,
    body: `${linesOf(items, 'item')}\n${linesOf(owners, 'owner')}`,
    by,
    headers: { 'idempotency-key': idempotencyKey() },
  })
  if (receipt === undefined) return
  remember(run, 'item', receipt, { changes: items, isCross: true, by })
  remember(run, 'owner', receipt, { changes: owners, isCross: true, by })
}

/** A third of the time the type is emptied before, so that it is loaded as an empty one is. */
async function commitMuch(run: Run): Promise<void> {
  const type = run.chance.one(readTypes)
  if (run.chance.below(3) === 0)
    await commitBatch(
      run,
      type,
      allKeys.map((primaryKey) => ({ type: 'delete', primaryKey })),
      'emptying',
    )
  if (run.chance.below(7) === 0) await replace(run, type)
  else await load(run, type)
}

async function replace(run: Run, type: TypeName): Promise<void> {
  const changes = run.things.many()
  const receipt = await sent(run, {
    method: 'PUT',
    path: `${run.paths.managed(type)}/objects?maxDeletions=100%25`,
    body: linesOf(changes),
    by: 'replace',
    headers: { 'idempotency-key': idempotencyKey() },
  })
  if (receipt !== undefined) remember(run, type, receipt, { changes, isReplaced: true, by: 'replace' })
}

async function load(run: Run, type: TypeName): Promise<void> {
  const isReplaced = run.chance.below(2) === 0
  const loads = run.paths.loads
  const begun = await run.ask<{ readonly loadId: string }>(run.writer, {
    method: 'POST',
    path: loads,
    body: { objectTypes: [type], replace: isReplaced },
    headers: { 'idempotency-key': idempotencyKey() },
  })
  if (!begun.isDone) return run.count(`load not begun ${begun.refusal.errorName}`)
  const path = `${loads}/${begun.json.loadId}`
  const parts = Array.from({ length: 1 + run.chance.below(3) }, run.things.many)
  const shuffled = parts.map((changes, part) => ({ changes, part, rank: run.chance.below(1_000) }))
  for (const { changes, part } of shuffled.toSorted((a, b) => a.rank - b.rank)) {
    const answer = await run.ask(run.writer, {
      method: 'PUT',
      path: `${path}/objectTypes/${type}/parts/${part}`,
      body: linesOf(changes),
    })
    if (answer.isDone) continue
    run.count(`part of a load refused ${answer.refusal.errorName}`)
    await run.ask(run.writer, { method: 'DELETE', path })
    return
  }
  const by = isReplaced ? 'load that replaces' : 'load'
  const receipt = await sent(run, {
    path: `${path}/finish`,
    body: { maxDeletions: '100%' },
    by,
  })
  if (receipt === undefined) await run.ask(run.writer, { method: 'DELETE', path })
  else remember(run, type, receipt, { changes: parts.flat(), isReplaced, by })
}

/** The definition gets properties, and what they are good for changes. Properties never go. */
function defineAnew(): Write {
  const added = { item: 0, doc: 0 }
  return async ({ chance, ask, writer, paths, count, violation }) => {
    const type = chance.one(readTypes)
    if (added[type] < 3 && chance.below(20) === 0) added[type] += 1
    const isFor = { searchable: often(chance, 5), sortable: often(chance, 5), counted: often(chance, 3) }
    const more = Array.from(
      { length: added[type] },
      (_, i) => [`extra${i}`, { type: 'string', ...isFor }] as const,
    )
    const definition = {
      ...definitionOf(type, Object.fromEntries(more)),
      description: `${chance.below(1_000)}`,
    }
    const answer = await ask<{ readonly outcome: string }>(writer, {
      method: 'PUT',
      path: paths.managed(type),
      body: definition,
    })
    if (answer.isDone) count(`definitions ${answer.json.outcome}`)
    else violation('a definition was refused', { definition, refusal: answer.refusal })
  }
}
