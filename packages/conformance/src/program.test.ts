import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@octavo/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from './program.ts'
import { silentCap } from '../test/support/broken-servers/page-tokens-and-sizes.ts'
import { apiFamily, ontologyRid } from '../test/support/model-server/model-data.ts'
import { startModelServer, type ModelServer } from '../test/support/model-server/model-server.ts'
import { correctSteps } from '../test/support/model-server/steps.ts'

let correct: ModelServer
let broken: ModelServer
let folder: string

beforeAll(async () => {
  correct = await startModelServer()
  broken = await startModelServer({ steps: silentCap.steps() })
  folder = mkdtempSync(join(tmpdir(), 'octavo-conformance-'))
})

afterAll(async () => {
  await correct.close()
  await broken.close()
  rmSync(folder, { recursive: true })
})

const wordsFor = ({ url }: ModelServer, ...more: readonly string[]): readonly string[] =>
  `--url ${url} --token model-token --revision 1.0 --ontology ${ontologyRid} --type thing`
    .split(' ')
    .concat(more)

async function run(words: readonly string[]) {
  let out = ''
  let err = ''
  const code = await runProgram(words, {
    write: (text) => (out += text),
    writeError: (text) => (err += text),
  })
  return { code, out, err }
}

it('a server that keeps the contract ends with 0, and what could not be tried says what it needs', async () => {
  const { code, out } = await run(wordsFor(correct))
  expect(code).toBe(0)
  expect(out).toMatch(/^\d+ passed, 0 failed, \d+ skipped$/m)
  expect(out).toContain('needs a writer: give --writer-url or --writer-command')
  expect(out).toMatch(/^Page tokens$/m)
})

it('with --strict a case that could not be tried counts', async () => {
  expect((await run(wordsFor(correct, '--only', 'P12'))).code).toBe(0)
  expect((await run(wordsFor(correct, '--only', 'P12', '--strict'))).code).toBe(1)
})

it('a broken server ends with 1, with the clause, the request, the answer and what was expected', async () => {
  const { code, out } = await run(wordsFor(broken, '--only', 'P6'))
  expect(code).toBe(1)
  expect(out).toContain('FAIL P6   small pages and large pages lead to the same end')
  expect(out).toContain('breaks   P6. nextPageToken is left out only at the proven end of the collection.')
  expect(out).toMatch(/sent {5}GET \/api\/v1\/ontologies\//)
  expect(out).toMatch(/received 200 \{"data":/)
  expect(out).toContain('expected the same 60 objects whatever the page size and direction')
  expect(out).toMatch(/found {4}\d+ of the objects .* missing/)
})

it('writes reports for machines, in which no credential stands', async () => {
  const [json, junit] = [join(folder, 'report.json'), join(folder, 'report.xml')]
  await run(wordsFor(broken, '--json', json, '--junit', junit))
  const text = readFileSync(json, 'utf8')
  const report = JSON.parse(text) as { failed: number; results: { clause: string; failure?: object }[] }
  const failures = report.results.filter(({ failure }) => failure !== undefined)
  expect(failures.length).toBe(report.failed)
  expect(failures[0]?.failure).toMatchObject({
    sent: { method: 'GET', headers: { authorization: 'Bearer ***' } },
    received: { status: 200 },
  })
  const xml = readFileSync(junit, 'utf8')
  expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites /)
  expect(xml.match(/<failure /g)?.length).toBe(report.failed)
  expect(xml.match(/<testcase /g)?.length).toBe(report.results.length)
  expect(xml.match(/<testsuite /g)?.length).toBe(xml.match(/<\/testsuite>/g)?.length)
  for (const each of [text, xml]) expect(each).not.toContain('model-token')
})

it('a dash writes the report for machines to standard output, and nothing beside it', async () => {
  const { out } = await run(wordsFor(correct, '--only', 'P1', '--json', '-'))
  expect(JSON.parse(out)).toMatchObject({ passed: 2, failed: 0, skipped: 0, objectType: 'thing' })
})

it('a writer command gets each batch on standard input, and objects of others stay as they are', async () => {
  const command = `curl -sf -X POST -H "Authorization: Bearer model-token" --data-binary @- ${correct.writerUrl}`
  const before = await firstObjects()
  const { code, out } = await run(wordsFor(correct, '--writer-command', command, '--only', 'P32,P36,P38'))
  expect(code).toBe(0)
  expect(out).toContain('ok   P38')
  expect(await firstObjects()).toEqual(before)
})

async function firstObjects(): Promise<unknown> {
  const response = await fetch(`${correct.url}/api/v1/ontologies/${ontologyRid}/objects/thing`, {
    headers: { authorization: 'Bearer model-token' },
  })
  return ((await response.json()) as { readonly data: unknown }).data
}

it('a writer that does not work is reported at once, with exit code 2', async () => {
  const { code, err } = await run(wordsFor(correct, '--writer-command', 'echo no database >&2; exit 3'))
  expect(code).toBe(2)
  expect(err).toBe('The writer command ended with 3: no database. Check --writer-command.\n')
  const refused = await run(wordsFor(correct, '--writer-url', `${correct.url}/nowhere`))
  expect(refused.code).toBe(2)
  expect(refused.err).toContain('answered 404')
})

it('a server that does not answer, wrong names and wrong arguments end with 2 and say what to do', async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
  const gone = await run(wordsFor({ ...correct, url: `http://127.0.0.1:${port}` }))
  expect(gone).toMatchObject({ code: 2 })
  expect(gone.err).toContain('check --url and that the server runs')
  const unknown = await run([...wordsFor(correct), '--type', 'nothing'])
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('Check --ontology, --type, --revision and --token.')
  const missing = await run(['--url', correct.url])
  expect(missing.code).toBe(2)
  expect(missing.err).toContain("required option '--token <token>' not specified")
  const revision = await run([...wordsFor(correct), '--revision', '3.0'])
  expect(revision.code).toBe(2)
  const none = await run(wordsFor(correct, '--only', 'P999'))
  expect(none).toMatchObject({ code: 2, err: 'No case has these clauses: check --only.\n' })
})

it('another caller who may not read the type ends with 2, and breaks no clause', async () => {
  const { code, out, err } = await run(wordsFor(correct, '--other-token', 'nobody', '--only', 'P14'))
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(/^The caller of --other-token may not read thing: GET .* was answered 401/)
  expect(err).toContain('Give that caller a grant')
})

it('a type with too few objects is refused with how many it needs', async () => {
  const small = await startModelServer({ objects: 20 })
  try {
    const { code, err } = await run(wordsFor(small))
    expect(code).toBe(2)
    expect(err).toContain('thing has 20 objects; the kit needs at least 25: name a larger type with --type.')
  } finally {
    await small.close()
  }
})

it('waits until a token has expired where tokens live shortly', async () => {
  const agedBy = (limits.pageToken.lifeSeconds - 1) * 1_000
  const brief = await startModelServer({
    steps: {
      checkWalk: (walk, ask, caller) =>
        correctSteps.checkWalk({ ...walk, issuedAt: walk.issuedAt - agedBy }, ask, caller),
    },
  })
  try {
    const { code, out } = await run(wordsFor(brief, '--only', 'P12', '--token-life-seconds', '1'))
    expect(out).toContain('ok   P12')
    expect(code).toBe(0)
    const wrong = await run(wordsFor(brief, '--token-life-seconds', 'soon'))
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('It must be a whole number of seconds.')
  } finally {
    await brief.close()
  }
})

it('the tokens of partitions are tried when page tokens have expired, where those live shortly', async () => {
  const agedBy = (limits.pageToken.lifeSeconds - 1) * 1_000
  for (const expires of [false, true]) {
    const brief = await startModelServer({
      steps: {
        checkWalk: (walk, ask, caller) => {
          const partition = expires ? undefined : walk.partition
          correctSteps.checkWalk({ ...walk, issuedAt: walk.issuedAt - agedBy, partition }, ask, caller)
        },
      },
    })
    const words = ['--revision', '2.0', '--ontology', apiFamily, '--only', 'P256']
    try {
      const { out } = await run([...wordsFor(brief), ...words, '--token-life-seconds', '1'])
      expect(out).toMatch(
        expires
          ? /^ {2}FAIL P256 the tokens of a partition and/m
          : /^ {2}ok {3}P256 the tokens of a partition and/m,
      )
    } finally {
      await brief.close()
    }
  }
})

it('help shows the options and examples', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  expect(out).toContain('--writer-url <url>')
  expect(out).toContain('Exit codes: 0 all passed, 1 a clause is broken, 2')
})
