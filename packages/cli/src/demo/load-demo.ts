// Generates the objects of the demo and loads them as `octavo load` loads a file: through the service, in batches.
import { randomUUID } from 'node:crypto'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { putObjectType, putOntology } from '../definitions/plan-definitions.ts'
import { unsavedLoad } from '../load/begin-load.ts'
import { codingFor } from '../load/compression.ts'
import { loadFile } from '../load/load-file.ts'
import type { Input } from '../records/open-input.ts'
import { aviationOntology, aviationTypes } from './aviation-definitions.ts'
import { aviationCounts, aviationObjects, type AviationCounts, type DemoObject } from './aviation-objects.ts'

export interface DemoWish {
  readonly objects: number
  readonly seed: number
}

interface DemoWatch {
  readonly stopAsked: AbortSignal
  readonly say: (text: string) => void
  /** Called with the number of objects loaded so far, of all types. */
  readonly onLoaded: (objects: number) => void
}

export interface Demo {
  /** The rid of the ontology. */
  readonly rid: string
  /** How many objects `loadFirst` loads. */
  readonly first: number
  /** Enough to look around: all types have objects. */
  readonly loadFirst: () => Promise<void>
  readonly loadRest: () => Promise<void>
}

const types = ['airport', 'aircraft', 'person', 'flight'] as const
type Type = (typeof types)[number]

/** Together 5,000. */
const mostFirst: AviationCounts = { airport: 400, aircraft: 600, person: 2_000, flight: 2_000 }

/** Declares the types. Until the rest is loaded, an object may name another that is not there yet. */
export async function openDemo(connection: Connection, wish: DemoWish, watch: DemoWatch): Promise<Demo> {
  const { rid = '' } = await putOntology(connection, aviationOntology, { dryRun: false })
  for (const type of types) await putObjectType(connection, rid, aviationTypes[type], { dryRun: false })
  const counts = aviationCounts(wish.objects)
  const objects = aviationObjects(wish.seed, counts)
  const loaded = { airport: 0, aircraft: 0, person: 0, flight: 0 }
  const load = async (type: Type, from: number, to: number): Promise<void> => {
    const input = madeInput(from, to, objects[type])
    await loadMade(connection, { rid, type, input }, watch, (records) => {
      loaded[type] = from + records
      watch.onLoaded(types.reduce((sum, each) => sum + loaded[each], 0))
    })
  }
  const isSmall = wish.objects <= 5_000
  const firstOf = (type: Type): number => (isSmall ? counts[type] : Math.min(counts[type], mostFirst[type]))
  return {
    rid,
    first: types.reduce((sum, type) => sum + firstOf(type), 0),
    loadFirst: async () => {
      await Promise.all(types.map((type) => load(type, 0, firstOf(type))))
    },
    loadRest: async () => {
      for (const type of types) {
        if (firstOf(type) < counts[type]) await load(type, firstOf(type), counts[type])
      }
    },
  }
}

interface Made {
  readonly rid: string
  readonly type: Type
  readonly input: Input
}

const loadMade = (
  connection: Connection,
  { rid, type, input }: Made,
  { stopAsked, say }: DemoWatch,
  onApplied: (records: number) => void,
) =>
  loadFile(
    {
      input,
      definition: aviationTypes[type],
      state: unsavedLoad({
        name: type,
        url: connection.url,
        ontologyRid: rid,
        objectType: type,
        format: 'ndjson',
        delimiter: ',',
        missing: 'empty',
        batchBytes: 1024 ** 2,
        rejectedFile: `demo-${randomUUID()}`,
      }),
      statePath: undefined,
      rejectedPath: undefined,
      target: {
        connection,
        path: requestPath`/manage/v1/ontologies/${rid}/objectTypes/${type}/batches`,
        coding: codingFor('none', connection.url),
        retrySeconds: 10,
        stopAsked,
      },
      mostAtOnce: 2,
      // Every object fits its type; a rejection would be a bug in the demo.
      mostRejected: 0,
    },
    { say, onApplied: ({ records }) => onApplied(records), elapsedMs: () => 0 },
  )

const atATime = 500

function madeInput(first: number, end: number, make: (number: number) => DemoObject): Input {
  return {
    name: 'demo',
    size: undefined,
    isCompressed: false,
    bytesRead: () => 0,
    read: async function* lines() {
      for (let from = first; from < end; from += atATime) {
        let text = ''
        for (let i = from; i < Math.min(end, from + atATime); i += 1) text += `${JSON.stringify(make(i))}\n`
        yield Buffer.from(text)
      }
    },
  }
}
