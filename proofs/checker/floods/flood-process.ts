// Floods the service in one way, in a separate thread, until the thread is ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { floods } from './floods.ts'
import type { Flooded } from './types.ts'

const { flooded, name } = workerData as { readonly flooded: Flooded; readonly name: string }
const begin = floods[name]
if (begin === undefined) throw new Error(`There is no flood ${name}.`)
await begin(flooded)
// Until it has risen.
await sleep(2_000)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window
parentPort?.postMessage('begun')
