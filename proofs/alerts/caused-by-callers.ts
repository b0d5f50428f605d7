import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Condition } from './condition.ts'
import { mostConnections, type WatchedService } from './watched-service.ts'

export const causedByCallers = ({
  ask,
  pagePath,
  withTls,
  ...watched
}: WatchedService): readonly Condition[] => {
  const sockets: Socket[] = []
  return [
    {
      says: 'callers send page tokens of another deployment',
      alerts: ['OctavoPageTokensMalformed'],
      cause: async () => {
        for (let i = 0; i < 10; i += 1) await ask(`${pagePath}&pageToken=AQFrMTfKq0mN3hVd2x8${i}`)
      },
    },
    {
      says: 'more connections are opened than an instance allows',
      alerts: ['OctavoConnectionsDropped'],
      cause: async () => {
        const { hostname, port } = new URL(withTls.url)
        for (let i = 0; i < mostConnections + 5; i += 1) {
          sockets.push(connect(Number(port), hostname).on('error', () => {}))
        }
        await sleep(500)
      },
      undo: async () => {
        for (const socket of sockets) socket.destroy()
      },
    },
    {
      says: 'a certificate is replaced by one that does not work',
      alerts: ['OctavoCertificateRefused'],
      cause: (times) => writeFile(watched.certificateFile, `not a certificate, ${times}`),
    },
  ]
}
