import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { quantile } from './statistics.ts'
import { openLoop } from './open-loop.ts'

let server: Server

/** Serves one request at a time, each taking this long. */
async function serveInTurn(milliseconds: (number: number) => number): Promise<string> {
  let last = Promise.resolve()
  let number = 0
  server = createServer((_request, response) => {
    const wait = milliseconds(number)
    number += 1
    last = last.then(() => new Promise((resolve) => setTimeout(resolve, wait)))
    void last.then(() => response.end(Buffer.alloc(100_000, 'x')))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const requests = [{ method: 'GET', path: '/', headers: {} }] as const

it('one slow answer counts for everybody who had to wait for it', async () => {
  const url = await serveInTurn((number) => (number === 50 ? 400 : 0))
  const latencies = await openLoop({ url, requests, perSecond: 200, seconds: 1, connections: 2 })
  expect(latencies).toHaveLength(200)
  // 80 requests were due during those 400 ms. Timed from when they were sent, only two would have been slow.
  expect(latencies.filter((latency) => latency > 50).length).toBeGreaterThan(50)
  expect(quantile(latencies, 0.999)).toBeGreaterThan(390)
})

it('sends at the rate that was asked for', async () => {
  const url = await serveInTurn(() => 0)
  const startedAt = performance.now()
  await openLoop({ url, requests, perSecond: 100, seconds: 1, connections: 4 })
  expect(performance.now() - startedAt).toBeGreaterThan(980)
})

it('a connection that the server has closed before it was used is replaced', async () => {
  const url = await serveInTurn(() => 0)
  server.on('connection', (socket) => {
    setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy()
    }, 250)
  })
  // One request at once and one half a second later, each on its own connection.
  const asked = openLoop({ url, requests, perSecond: 2, seconds: 1, connections: 2, inTurn: true })
  await expect(asked).resolves.toHaveLength(2)
})

it('a request that meets a connection which is being closed is sent again, on another', async () => {
  const url = await serveInTurn(() => 0)
  server.once('connection', (socket) => socket.once('data', () => socket.destroy()))
  await expect(openLoop({ url, requests, perSecond: 10, seconds: 1, connections: 1 })).resolves.toHaveLength(
    10,
  )
})

it('a server that closes every connection without an answer is a failure', async () => {
  const url = await serveInTurn(() => 0)
  server.on('connection', (socket) => socket.once('data', () => socket.destroy()))
  const asked = openLoop({ url, requests, perSecond: 10, seconds: 1, connections: 1 })
  await expect(asked).rejects.toThrow('closed')
})

it('an answer that is not a page is a failure', async () => {
  server = createServer((_request, response) => {
    response.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(openLoop({ url, requests, perSecond: 10, seconds: 1, connections: 1 })).rejects.toThrow('503')
})
