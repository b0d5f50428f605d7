// A connection that is lost after a number of bytes, anywhere in an answer.
import { startTcpProxy } from '../harness/tcp-proxy.ts'

export interface ByteCuttingProxy {
  readonly url: string
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

/** `bytesOf` says for each connection how many bytes its client receives before it is cut off. */
export async function startByteCuttingProxy(
  target: string,
  bytesOf: () => number,
): Promise<ByteCuttingProxy> {
  let cuts = 0
  const proxy = await startTcpProxy((client, open) => {
    const service = open(new URL(target))
    let left = bytesOf()
    client.pipe(service)
    service.on('data', (data: Buffer) => {
      const sent = data.length < left ? data : data.subarray(0, left)
      left -= sent.length
      const isFull = !client.write(sent)
      if (left === 0) {
        cuts += 1
        client.end()
        service.destroy()
      } else if (isFull) {
        service.pause()
        client.once('drain', () => service.resume())
      }
    })
    service.once('close', () => client.end())
  })
  return { url: `http://127.0.0.1:${proxy.port}`, cuts: () => cuts, close: proxy.close }
}
