// Reads many streams at once, in a separate process so that the reading does not delay the measurement. It counts the objects and
// drops them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'

export interface StreamLoadOptions {
  readonly url: string
  readonly token: string
  readonly path: string
  readonly body: object
  readonly streams: number
}

export interface StreamLoad {
  /** Ends it, and returns how many bytes were read. */
  readonly stop: () => Promise<number>
}

export async function startStreamLoad(options: StreamLoadOptions): Promise<StreamLoad> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)])
  await once(child, 'message')
  return {
    stop: async () => {
      child.send('stop')
      const [bytes] = (await once(child, 'message')) as [number]
      child.kill()
      await once(child, 'exit')
      return bytes
    },
  }
}

/** One answer after another, each with the page token that the one before it ended with. */
async function readOn({ url, token, path, body }: StreamLoadOptions, read: (bytes: number) => void) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let pageToken: string | undefined
  for (;;) {
    const asked = JSON.stringify({ ...body, pageToken })
    pageToken = await new Promise<string | undefined>((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = request(url + path, { agent, method: 'POST', headers }, (response) => {
        let tail = ''
        response.on('data', (chunk: Buffer) => {
          read(chunk.length)
          tail = (tail + chunk.toString('latin1')).slice(-1_000)
        })
        response.on('close', () => resolve(/"nextPageToken":"([\w-]+)"[^\n]*\}\n?$/.exec(tail)?.[1]))
      })
      sent.on('error', () => resolve(undefined))
      sent.end(asked)
    })
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = JSON.parse(process.argv[2] ?? '') as StreamLoadOptions
  let bytes = 0
  process.on('message', () => process.send?.(bytes))
  // The one that started it is gone.
  process.on('disconnect', () => process.exit())
  for (let i = 0; i < options.streams; i += 1) void readOn(options, (more) => (bytes += more))
  process.send('started')
}
