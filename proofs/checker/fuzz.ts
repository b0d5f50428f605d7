// Bad inputs to every route of /openapi.json, to the tools of agents and to the web socket, requests that are hardly HTTP, and bodies
// that unpack to far more. No answer is a fault, every error has the shape of errors, and none shows SQL. It uses nothing of the product
// but the service as a process and what the packages export.
import { expect, type Proof } from '../harness/prove.ts'
import { chances } from './chances.ts'
import { numberOf, seedOf } from './number-of.ts'
import { sendBombs } from './fuzz/bombs.ts'
import { bodiesByChance } from './fuzz/bodies.ts'
import { findings } from './fuzz/findings.ts'
import { inputsByChance, type OpenApi } from './fuzz/inputs.ts'
import { queriesByChance } from './fuzz/queries.ts'
import { sendRawShapes } from './fuzz/raw-shapes.ts'
import { sendInputs } from './fuzz/send-inputs.ts'
import { withSetting } from './fuzz/setting.ts'
import { sendMessages } from './fuzz/subscriptions.ts'
import { valuesByChance } from './fuzz/values.ts'

export const checkFuzz = (proof: Proof): Promise<void> =>
  proof.point('Whatever is sent, no answer is a fault, and every error has the shape of errors', async () => {
    const many = numberOf(proof, 'inputs', proof.short ? 10_000 : 20_000)
    const chance = chances(seedOf(proof))
    const found = findings()

    await withSetting(
      ({ kind, level, errorName, error }) => {
        if (level === 'error') found.count(`log ${kind} ${errorName ?? ''}`)
        if (errorName === 'Internal')
          found.problem(`an internal error: ${error?.message}`, JSON.stringify(error))
      },
      async (setting) => {
        const { service, token, known, ask } = setting
        const values = valuesByChance(chance, known)
        const queries = queriesByChance(chance, values)
        const bodies = bodiesByChance(chance, values, queries, known)
        const api = await ask<OpenApi>('GET', '/openapi.json')
        await sendRawShapes(service.url, token, found)
        // Before inputs begin as many loads as there may be.
        await sendBombs(setting, found)
        const startedAt = performance.now()
        await sendInputs(
          service.url,
          { make: inputsByChance(chance, values, bodies, { api, known, token }), many },
          found,
        )
        proof.say(`${Math.round((many * 1_000) / (performance.now() - startedAt))} inputs a second`)
        await sendMessages(setting, Math.ceil(many / 20), { chance, values, queries }, found)
        // If the inputs had removed what they are about, they would have tried nothing.
        const search = { query: { type: 'empty' }, pageSize: 1 }
        const { data } = await ask<{ readonly data: readonly object[] }>(
          'POST',
          '/api/one/v1/objects/types/item/search',
          search,
        )
        if (data.length === 0) found.problem('nothing is left', 'the type has no objects any more')
      },
    )

    const counts = found.counts()
    for (const [what, times] of Object.entries(counts)) proof.say(`${String(times).padStart(9)} ${what}`)
    const accepted = (counts['answers 200'] ?? 0) / many
    if (accepted < 0.05) found.problem('hardly an input is right', `${accepted} of them`)
    expect(found.problems() === 0, `${found.problems()} problems`)
    return `${many} inputs`
  })
