import { docs, pair, type Side, type TwoTypes } from './two-types.ts'
import type { Answer, Call } from './serve.ts'

/** The same request for either side. */
export type Request = (side: Side) => Call
type PageRequest = (side: Side, pageToken: string | undefined) => Call

export interface Comparison {
  readonly two: TwoTypes
  /** The same request on both sides is answered alike. */
  readonly both: (name: string, request: Request) => Promise<void>
  /** So are the pages of a walk, up to so many. */
  readonly walk: (name: string, most: number, request: PageRequest) => Promise<void>
  readonly same: (name: string, a: string, b: string) => void
  readonly counts: () => Counts
}

interface Counts {
  readonly compared: number
  readonly differ: number
  /** How many answers had each status: refusals alone would compare nothing. */
  readonly statuses: Readonly<Record<string, number>>
}

export function comparison(two: TwoTypes): Comparison {
  let [compared, differ] = [0, 0]
  const statuses: Record<string, number> = {}
  const ask: TwoTypes['ask'] = async (call) => {
    const answer = await two.ask(call)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    return answer
  }
  const same: Comparison['same'] = (name, a, b) => {
    compared += 1
    if (a === b) return
    differ += 1
    let at = 0
    while (at < a.length && a[at] === b[at]) at += 1
    const around = (said: string) => said.slice(Math.max(0, at - 80), at + 160)
    console.log(`DIFFERS: ${name}\n   a: ${around(a)}\n   b: ${around(b)}`)
  }
  return {
    two,
    same,
    both: async (name, request) => {
      const [a = '', b = ''] = await onEach(async (side) => {
        const answer = await ask(request(side))
        return `${answer.status} ${headersOf(answer)} ${plain(answer.text)}`
      })
      same(name, a, b)
    },
    walk: async (name, most, request) => {
      let tokens: readonly (string | undefined)[] = [undefined, undefined]
      for (let page = 0; page < most; page += 1) {
        const answers = await onEach(async (side) => {
          const { status, text } = await ask(request(side, tokens[pair.indexOf(side)]))
          return { said: `${status} ${plain(text)}`, token: nextToken(text) }
        })
        const [a, b] = answers
        same(`${name}, page ${page}`, a?.said ?? '', b?.said ?? '')
        tokens = answers.map(({ token }) => token)
        if (tokens.includes(undefined)) return
      }
    },
    counts: () => ({ compared, differ, statuses }),
  }
}

/** One after the other, so that neither has to wait for the other. */
async function onEach<T>(work: (side: Side) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = []
  for (const side of pair) done.push(await work(side))
  return done
}

/** A refusal for the time may have a token, too. */
function nextToken(text: string): string | undefined {
  const { nextPageToken, parameters } = JSON.parse(text) as {
    readonly nextPageToken?: string
    readonly parameters?: { readonly pageToken?: string }
  }
  return nextPageToken ?? parameters?.pageToken
}

const comparedHeaders = ['content-type', 'vary', 'retry-after', 'www-authenticate'] as const

const headersOf = ({ headers }: Answer): string =>
  JSON.stringify([...comparedHeaders.map((name) => headers.get(name)), headers.has('etag')])

/** Without what differs between any two types: names, rids, ids of errors, times and what is inside a token. */
export function plain(text: string): string {
  const [a, b] = [docs('a'), docs('b')]
  return text
    .replaceAll(b, a)
    .replaceAll('refb', 'refa')
    .replaceAll(/ri\.ontology\.main\.(object-type|relation|object)\.[0-9a-f-]{36}/g, 'ri.$1')
    .replaceAll(/("errorInstanceId":")[^"]+/g, '$1')
    .replaceAll(timeMembers, '$1')
    .replaceAll(tokenMembers, (_all, name: string, token: string) => `${name}<${token.length}>`)
}

// An answer of /mcp has JSON within a text.
const timeMembers = /(\\?"(?:committedAt|readableUntil)\\?":\\?")20[^"\\]+/g
const tokenMembers =
  /(\\?"(?:nextPageToken|pageToken|snapshotToken|fromSnapshotToken|toSnapshotToken|changesPageToken|since|to)\\?":\\?")([\w.-]+)/g
