import { expect, it } from 'vitest'
import { ServiceUnreachable } from './service-errors.ts'
import { sayingThatItWaits } from './say-that-it-waits.ts'

const refused = new ServiceUnreachable(
  'http://x',
  Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
)

const noting = (notesAreShown: boolean) => {
  let noted = ''
  const output = { note: (text: string) => void (noted += text), notesAreShown, columns: () => 80 }
  return { output, noted: () => noted }
}

it('says it in one line where there is no terminal, however often it waits', async () => {
  const { output, noted } = noting(false)
  await sayingThatItWaits(output, async (onPause) => {
    onPause(refused, 52_000)
    onPause(refused, 40_000)
  })
  expect(noted()).toBe('waiting for the service (connection refused), giving up in 52 s\n')
})

it('on a terminal redraws its line, and removes it at the end, also after a failure', async () => {
  const { output, noted } = noting(true)
  const failing = sayingThatItWaits(output, async (onPause) => {
    onPause(refused, 52_000)
    onPause(refused, 40_000)
    throw new Error('gone')
  })
  await expect(failing).rejects.toThrow('gone')
  const clear = '\r\u001B[K'
  const line = (seconds: number) => `waiting for the service (connection refused), giving up in ${seconds} s`
  expect(noted()).toBe(`${clear}${line(52)}${clear}${line(40)}${clear}`)
})

it('says nothing while it need not wait', async () => {
  const { output, noted } = noting(true)
  expect(await sayingThatItWaits(output, async () => 7)).toBe(7)
  expect(noted()).toBe('')
})
