// A connection that is lost after a number of bytes, anywhere in an answer.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

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
  const sockets = new Set<Socket>()
  let cuts = 0
  const kept = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((client) => {
    kept(client)
    const service = kept(connect(Number(new URL(target).port), '127.0.0.1'))
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
    client.once('close', () => service.destroy())
    service.once('close', () => client.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    cuts: () => cuts,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
