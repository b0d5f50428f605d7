// Snapshot tokens and counts: what can be asked of a state besides its pages.
import { countRequestSchema, limits, snapshotRequestSchema } from '@octavo/protocol'
import { Compile } from 'typebox/compile'
import type { ModelAsk } from './model-ask.ts'
import { typeNamed, typeNames } from './model-data.ts'
import { refuse } from './model-refusal.ts'
import { latestVersion, type EarlierState } from './model-store.ts'
import { refuseUnknown } from './read-list-ask.ts'
import { jsonObjectIn, readSearchAsk } from './read-search-ask.ts'
import { totalFields, withFollowedLinks, withNamedState, type PageParts } from './serve-page.ts'

const shape = Compile(snapshotRequestSchema)

export function serveSnapshot({ steps, store, box }: PageParts, text: string): object {
  const { names, ...earlier } = askedIn(text)
  const version = steps.takeSnapshot(store, earlier)
  return {
    snapshotToken: box.seal({ versions: Object.fromEntries(names.map((name) => [name, version])) }),
    versions: Object.fromEntries(names.map((name) => [name, String(version)])),
    readableUntil: new Date(Date.now() + limits.snapshot.retentionSeconds * 1_000)
      .toISOString()
      .replace(/\.?0+Z$/, 'Z'),
  }
}

function askedIn(text: string): EarlierState & { readonly names: readonly string[] } {
  const body = text === '' ? {} : jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(snapshotRequestSchema.properties))
  if (!shape.Check(body))
    return refuse('Conjure:UnprocessableEntity', { path: '/objectTypes', problem: 'it has another shape' })
  const { objectTypes, at, version } = body
  return {
    names: (objectTypes ?? typeNames).map((name) => typeNamed(name).apiName),
    at: at ?? undefined,
    version: version ?? undefined,
  }
}

export function readCountAsk(objectType: string, text: string): ModelAsk {
  if (text === '') return readSearchAsk(objectType, text)
  const body = jsonObjectIn(text)
  refuseUnknown(Object.keys(body), Object.keys(countRequestSchema.properties))
  return readSearchAsk(objectType, JSON.stringify({ ...body, query: body['query'] ?? { type: 'empty' } }))
}

export function serveCount(parts: PageParts, asks: ModelAsk, caller: string): object {
  const { steps, store } = parts
  const counted = { ...asks, endpoint: 'countObjects', snapshot: true } as const
  const ask = withNamedState(parts, counted, caller)
  const version = ask.named?.version ?? latestVersion(store)
  const state = steps.stateFor(store, ask, undefined)
  const read = withFollowedLinks(parts, ask, { caller, version })
  return {
    ...totalFields(steps.totalOf(state, read, undefined, store)),
    version: String(version),
  }
}
