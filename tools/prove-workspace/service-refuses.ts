import { expect, type Proof } from '../prove.ts'
import { runToEnd } from './run-to-end.ts'

const enough = {
  OCTAVO_DATABASE_URL: 'postgres://localhost/octavo',
  OCTAVO_PAGE_TOKEN_KEYS: `a:${Buffer.alloc(32).toString('base64url')}`,
}

type Refusal = {
  readonly because: string
  readonly argv?: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** What the error message must name. */
  readonly names: string
}

const refusals: readonly Refusal[] = [
  { because: 'an unknown option', argv: ['--prot=80'], env: enough, names: '--prot' },
  { because: 'an unknown variable', env: { ...enough, OCTAVO_PROT: '80' }, names: 'OCTAVO_PROT' },
  { because: 'a bad value', env: { ...enough, OCTAVO_PORT: 'http' }, names: 'OCTAVO_PORT' },
  {
    because: 'an issuer without an audience',
    env: { ...enough, OCTAVO_OIDC_ISSUER: 'https://login.example.com' },
    names: 'oidc-audience',
  },
  {
    because: 'missing keys',
    env: { ...enough, OCTAVO_PAGE_TOKEN_KEYS: undefined },
    names: 'set OCTAVO_PAGE_TOKEN_KEYS',
  },
]

export async function showRefusals(root: string, { say }: Proof): Promise<string> {
  for (const { because, argv = [], env, names } of refusals) {
    const main = [process.execPath, '--conditions=@octavo/source', 'packages/service/src/main.ts', ...argv]
    const { code, output } = await runToEnd(main, { in: root, env })
    const lines = output.trim().split('\n')
    say(`${because}: ${lines.join(' / ')}`)
    expect(code === 2, `the exit code for ${because} was ${code}, not 2`)
    expect(lines.length === 1, `${because} took ${lines.length} lines, not one sentence`)
    expect(output.includes(names), `the sentence for ${because} does not name ${names}`)
  }
  return `${refusals.length} refusals, one sentence each, exit code 2`
}
