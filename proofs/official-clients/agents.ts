// Agents, with the official client of their protocol, on the service in a separate process.
import { limits } from '@octavo/protocol'
import { agentOverHttp, type Agent } from '../../packages/agents/test/support/agent.ts'
import {
  hostileToolCalls,
  loadOwnedItems,
  problemOfRefusal,
  leakedToStranger,
  toolCallsOfTheOwner,
} from '../../packages/service/test/support/hostile-tool-calls.ts'
import { newTokenOf, testToken } from '../../packages/service/test/support/test-access.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { walkUnderWriter } from './walk-under-writer.ts'

const objects = 5_000

export async function proveAgents(proof: Proof, served: ServedCollection): Promise<void> {
  await proof.point(
    `An agent that does what the tools say sees ${objects.toLocaleString('en')} objects exactly, while others write; hostile calls and strangers get words, and nothing else`,
    async () => {
      const agent = await agentOverHttp(served.url, testToken, 'auto')
      const { token } = await newTokenOf(served.store, { subject: 'stranger' })
      const stranger = await agentOverHttp(served.url, token)
      try {
        const walked = await walkWhole(agent, served, proof.say)
        return `${walked}; ${await refuseAll(agent, stranger, served)}`
      } finally {
        await agent.close()
        await stranger.close()
      }
    },
  )
}

interface Shown {
  readonly properties: { readonly number: number; readonly edition: number }
}

async function walkWhole(
  agent: Agent,
  { store, ontology }: ServedCollection,
  say: Proof['say'],
): Promise<string> {
  const apiName = 'counted-by-an-agent'
  const named = { apiFamily: 'proof', objectType: apiName }
  let total: unknown
  let calls = 0
  const { count, figures } = await walkUnderWriter(
    { store, ontology, apiName, objects, say },
    async ({ begun, take }) => {
      const answers = await agent.askAll('search_objects', named, async () => begun())
      calls = answers.length
      total = answers[0]?.['total']
      for (const answer of answers) {
        expect(answer.bytes <= limits.agents.answerBytes, `an answer has ${answer.bytes} bytes`)
        expect(answer['total'] === total, 'the total changes on the way')
        for (const { properties } of answer['objects'] as readonly Shown[])
          take(properties.number, properties.edition)
      }
      expect(answers.at(-1)?.complete === true, 'the last answer does not say that it is the last')
    },
  )
  expect(total === count, `the tool said ${String(total)} objects, and showed ${count}`)
  return `${figures}, in ${calls} calls`
}

async function refuseAll(
  agent: Agent,
  stranger: Agent,
  { url, store, ontology, service: { failures } }: ServedCollection,
): Promise<string> {
  const owned = await loadOwnedItems(store, ontology, agent)
  const before = failures().length
  const hostile = hostileToolCalls(owned)
  expect(hostile.length >= 100, `only ${hostile.length} hostile calls`)
  for (const [tool, given] of hostile) {
    const problem = problemOfRefusal(await agent.call(tool, given))
    expect(problem === undefined, `${tool} ${JSON.stringify(given).slice(0, 200)}: ${problem}`)
  }
  const { total } = await agent.ask('search_objects', owned.named)
  expect(total === owned.count, `${String(total)} of ${owned.count} items are left`)
  const right = toolCallsOfTheOwner(owned)
  for (const [tool, given] of right) await agent.ask(tool, given)
  for (const [tool, given] of [...hostile, ...right]) {
    const leaked = leakedToStranger(await stranger.call(tool, given))
    expect(leaked === undefined, `${tool} shows a stranger: ${leaked}`)
  }
  const { ontologies } = await stranger.ask('list_ontologies')
  expect(JSON.stringify(ontologies) === '[]', `a stranger sees ${JSON.stringify(ontologies)}`)
  const isLetIn = await agentOverHttp(url, 'oct_x').then(
    () => true,
    () => false,
  )
  expect(!isLetIn, 'a token that does not exist is let in')
  expect(failures().length === before, `the service failed: ${failures().slice(before).join('; ')}`)
  return `${hostile.length} hostile calls refused, 0 failures of the service; a stranger got nothing from these and ${right.length} calls that the owner may make`
}
