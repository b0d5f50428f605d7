// The kit writes over no object that it has not created, and deletes none, whatever the server makes it believe.
import { expect, it } from 'vitest'
import { handWritten, startHandWrittenServer, type Behaviour } from '../test/support/hand-written-server.ts'
import { runProgram } from './program.ts'

async function judge(behaviour: Behaviour) {
  const server = await startHandWrittenServer(behaviour)
  const before = server.rows()
  let said = ''
  const words = `--url ${server.url} --token t --revision 1.0 --ontology ri.x.main.ontology.a --type thing --writer-url ${server.url}/write`
  try {
    const code = await runProgram(words.split(' '), {
      write: () => {},
      writeError: (text) => (said += text),
    })
    return { code, said, before, after: server.rows(), batches: server.batches() }
  } finally {
    await server.close()
  }
}

it('every object of a server that keeps its word is as it was, and the kit has written', async () => {
  const { code, before, after, batches } = await judge('that keeps its word')
  expect(code).toBe(1)
  expect(batches).toBeGreaterThan(10)
  expect(after).toEqual(before)
})

const liars = Object.keys(handWritten).filter((name): name is Behaviour => name !== 'that keeps its word')

it.each(liars)('nothing is written to a server %s, and the kit says what it saw', async (behaviour) => {
  const { code, said, before, after, batches } = await judge(behaviour)
  expect({ code, batches }).toEqual({ code: 2, batches: 0 })
  expect(after).toEqual(before)
  expect(said).toMatch(
    /^Nothing was written, because the kit might have changed objects that it did not create: \S/,
  )
  expect(said).toContain('Without a writer (--writer-url, --writer-command) the kit only reads.')
})
