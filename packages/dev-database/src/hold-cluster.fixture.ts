// Started by tests that kill it: holds a cluster until this process is ended.
import { setInterval } from 'node:timers'
import { startCluster } from './start-cluster.ts'

const cluster = await startCluster()
process.stdout.write(`${cluster.url}\n`)
setInterval(() => {}, 60_000)
