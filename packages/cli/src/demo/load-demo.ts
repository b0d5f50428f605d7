// Generates the objects of the demo and loads them as `octavo load` loads a file: through the service, in batches.
import { randomUUID } from 'node:crypto'
import type { Connection } from '../connection/connection.ts'
import { requestPath } from '../connection/request-path.ts'
import { putObjectType, putOntology } from '../definitions/plan-definitions.ts'
import { unsavedLoad } from '../load/begin-load.ts'
import { loadFile } from '../load/load-file.ts'
import type { Input } from '../records/open-input.ts'
import { aviationOntology, aviationTypes } from './aviation-definitions.ts'
import { aviationCounts, aviationObjects, type DemoObject } from './aviation-objects.ts'

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

/** Returns the rid of the ontology. Loads objects before those that refer to them. */
export async function loadDemo(connection: Connection, wish: DemoWish, watch: DemoWatch): Promise<string> {
  const { rid = '' } = await putOntology(connection, aviationOntology, { dryRun: false })
  const counts = aviationCounts(wish.objects)
  const objects = aviationObjects(wish.seed, counts)
  let before = 0
  for (const type of ['airport', 'aircraft', 'person', 'flight'] as const) {
    const definition = aviationTypes[type]
    await putObjectType(connection, rid, definition, { dryRun: false })
    await loadFile(
      {
        input: madeInput(counts[type], objects[type]),
        definition,
        state: unsavedLoad({
          name: type,
          url: connection.url,
          ontologyRid: rid,
          objectType: type,
          format: 'ndjson',
          delimiter: ',',
          batchBytes: 1024 ** 2,
          rejectedFile: `demo-${randomUUID()}`,
        }),
        statePath: undefined,
        rejectedPath: '',
        target: {
          connection,
          path: requestPath`/manage/v1/ontologies/${rid}/objectTypes/${type}/batches`,
          retrySeconds: 10,
          stopAsked: watch.stopAsked,
        },
        mostAtOnce: 2,
        // Every object fits its type; a rejection would be a bug in the demo.
        mostRejected: 0,
      },
      {
        say: watch.say,
        onApplied: ({ records }) => watch.onLoaded(before + records),
        elapsedMs: () => 0,
      },
    )
    before += counts[type]
  }
  return rid
}

const atATime = 500

function madeInput(count: number, make: (number: number) => DemoObject): Input {
  return {
    name: 'demo',
    size: undefined,
    isCompressed: false,
    bytesRead: () => 0,
    read: async function* lines() {
      for (let from = 0; from < count; from += atATime) {
        let text = ''
        for (let i = from; i < Math.min(count, from + atATime); i += 1) text += `${JSON.stringify(make(i))}\n`
        yield Buffer.from(text)
      }
    },
  }
}
