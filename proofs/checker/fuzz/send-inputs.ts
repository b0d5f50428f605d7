// Inputs to all routes, over several connections at once.
import type { Findings } from './findings.ts'
import { wouldRevoke, type Input } from './inputs.ts'
import { problemOf } from './judge.ts'
import { send } from './send.ts'

const connections = 16

export async function sendInputs(
  url: string,
  { make, many }: { readonly make: () => Input; readonly many: number },
  { count, problem }: Findings,
): Promise<void> {
  let begun = 0
  const one = async (input: Input): Promise<void> => {
    const { route, method, path, headers, body } = input
    const example = (): string =>
      `${method} ${path.slice(0, 500)} ${JSON.stringify({ ...headers, authorization: '' })} ${body?.slice(0, 600)}`
    try {
      const answer = await send(url, input)
      count(`answers ${answer.status}`)
      const wrong = problemOf(input, answer)
      if (wrong !== undefined)
        problem(`${method} ${route}: ${wrong}`, `${example()} => ${answer.text.slice(0, 400)}`)
    } catch (error) {
      count('no answer')
      problem(`${method} ${route}: ${String(error)}`, example())
    }
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (begun < many) {
        const input = make()
        if (wouldRevoke(input)) continue
        begun += 1
        if (begun % 20_000 === 0) console.log(`${new Date().toISOString()} ${begun} inputs`)
        await one(input)
      }
    }),
  )
}
