import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '@octavo/dev-database'
import { expect, it } from 'vitest'
import { builtProgram } from '../../../octavo/bundle/built-program.ts'

it('the demo serves what it says, and Ctrl-C ends all of it', async () => {
  const port = await freePort()
  const words = ['demo', '--objects', '500', '--port', String(port)]
  const child = spawn(process.execPath, [builtProgram('octavo'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let written = ''
  let noted = ''
  child.stderr.on('data', (data: Buffer) => (noted += data.toString()))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      written += data.toString()
      if (written.includes('Ctrl-C stops it')) resolve()
    })
    child.once('close', () => reject(new Error(noted)))
  })
  try {
    await ready
    const [, token] = /export OCTAVO_TOKEN=(\S+)/.exec(written) ?? []
    // The command that the demo prints, without the shell around it.
    const [, body, path] = /-d '(.*)' \\\s+"\$OCTAVO_URL(\S+)"/.exec(written) ?? []
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ?? '',
    })
    const { data } = (await answer.json()) as { data: readonly { properties: { name: readonly object[] } }[] }
    expect(data[0]?.properties.name).toEqual(
      expect.arrayContaining([expect.objectContaining({ lastName: 'Okafor' })]),
    )
  } finally {
    child.kill('SIGINT')
    const [code] = (await ended) as [number | null]
    expect(code).toBe(0)
  }
  await expect(fetch(`http://127.0.0.1:${port}/health/live`)).rejects.toThrow('fetch failed')
})
