import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveOctavo } from '../../test/support/served-octavo.ts'
import { isInstalled, needing, openTerminal, type Terminal } from '../../test/support/terminal.ts'
import { openConnection } from '../connection/connection.ts'
import { exampleOntology } from '../local/example-objects.ts'
import { makeExample } from '../local/make-example.ts'

const octavo = forAllTests(serveOctavo)

beforeAll(() => makeExample(openConnection(octavo, { fetch, stopAsked: new AbortController().signal })))

const sourcing = {
  bash: 'source <(octavo completion bash)',
  zsh: 'autoload -Uz compinit; compinit -u; source <(octavo completion zsh)',
  fish: 'octavo completion fish | source',
} as const

describe.each(['bash', 'zsh', 'fish'] as const)('in %s', (shell) => {
  const isMissing = !isInstalled('tmux') || !isInstalled(shell)
  let terminal: Terminal

  beforeAll(async () => {
    if (isMissing) return
    terminal = await openTerminal({
      shell,
      environment: { OCTAVO_URL: octavo.url, OCTAVO_TOKEN: octavo.token },
    })
    const folder = join(terminal.folder, '.config/octavo')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'profiles.yaml'), 'profiles: { production: { url: "http://127.0.0.1:1" } }\n')
    await terminal.run(sourcing[shell])
  })
  afterAll(() => terminal?.close())

  it.skipIf(isMissing).each([
    ['octavo desc', 'octavo describe'],
    ['octavo list empl', 'octavo list employee'],
    ['octavo list employee --columns fullN', 'octavo list employee --columns fullName'],
    ['octavo list employee --ontology ', `octavo list employee --ontology ${exampleOntology.apiName}`],
    ['octavo profile use prod', 'octavo profile use production'],
  ])(`%s becomes %s${needing('tmux', shell)}`, async (typed, completed) => {
    await terminal.startAgain()
    terminal.type(typed)
    terminal.press('Tab')
    expect(await terminal.screenWith(new RegExp(`${completed}\\b`))).not.toContain('Error')
  })

  it.skipIf(isMissing)(
    `a service that is away leaves the line as it is${needing('tmux', shell)}`,
    async () => {
      await terminal.startAgain()
      await terminal.run(
        shell === 'fish' ? 'set -x OCTAVO_URL http://127.0.0.1:1' : 'export OCTAVO_URL=http://127.0.0.1:1',
      )
      await terminal.startAgain()
      terminal.type('octavo describe zzz')
      terminal.press('Tab')
      // The next typed text is there, so the completion has ended.
      terminal.type('y')
      expect(await terminal.screenWith(/octavo describe zzzy/)).not.toMatch(/refused|Error|answer/)
    },
  )
})
