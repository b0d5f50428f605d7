// Replaces a type with a file in which little has changed: exactly the changed objects are written, and a walk of the
// earlier state continues.
import { join } from 'node:path'
import { createClient } from '@octavo/client'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import { longQueue, startService } from '../harness/service-process.ts'
import { sampleDefinition, sampleEmployee } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'
import { runOctavo } from '../harness/octavo-command.ts'
import { writeSampleFile } from './sample-file.ts'
import { withServedLoad, type ServedLoad } from '../harness/with-store.ts'

export const proveReplacesExactly = (proof: Proof): Promise<void> =>
  proof.point(
    'Replacing the contents of a type touches exactly what has changed, and a snapshot walk that began before is exact',
    () => withServedLoad((served) => replacesExactly(proof, served)),
  )

async function replacesExactly(proof: Proof, served: ServedLoad): Promise<string> {
  const { databaseUrl, store, ontology, folder } = served
  const objects = proof.short ? 50_000 : 1_000_000
  const changed = proof.short ? 50 : 1_000
  const every = objects / changed
  // Of the changed objects, some are deleted and as many are new.
  const gone = changed / 10
  const isChanged = (number: number) => number % every === 0
  const after = (number: number) =>
    isChanged(number)
      ? sampleEmployee(number / every < gone ? objects + number : number, 1)
      : sampleEmployee(number)
  const [before, later] = [join(folder, 'before.ndjson'), join(folder, 'after.ndjson')]
  await writeSampleFile(before, objects, sampleEmployee)
  await writeSampleFile(later, objects, after)
  const type = await store.applyObjectType(ontology, sampleDefinition)
  const service = await startService({ databaseUrl: databaseUrl, environment: longQueue })
  try {
    const first = await runOctavo(['replace', type.apiName, before], { url: service.url, folder })
    proof.say(first.written.trim())
    const client = createClient({ url: service.url, token: testToken })
    const walk = client.family('proof').objects(type.apiName).all({ snapshot: true })[Symbol.asyncIterator]()
    const began = await walk.next()
    const second = await runOctavo(['replace', type.apiName, later, '--json', '--max-deletions', '100%'], {
      url: service.url,
      folder,
    })
    proof.say(
      `${second.written.trim()}, in ${(second.milliseconds / 1_000).toFixed(1)} s; command ${second.mostMemory} MB, service ${service.memory().most} MB`,
    )
    const receipt = JSON.parse(second.written) as Readonly<Record<string, unknown>>
    expect(
      Number(receipt['created']) + Number(receipt['updated']) === changed &&
        receipt['deleted'] === gone &&
        receipt['unchanged'] === objects - changed,
      `the receipt says ${second.written}`,
    )
    const [row] = await store.database.rows({
      text: `select count(*) as rows from ${type.tables.history}`,
      values: [],
    })
    expect(row?.['rows'] === String(changed), `history has ${row?.['rows']} rows, not ${changed}`)

    let number = 0
    for (let next = began; next.done !== true; next = await walk.next()) {
      const expected = sampleEmployee(number)
      const { employeeId, fullName } = next.value.properties as { employeeId: string; fullName: string }
      expect(
        employeeId === expected.employeeId && fullName === expected.fullName,
        `object ${number} of the walk is ${employeeId}, ${fullName}`,
      )
      number += 1
    }
    expect(number === objects, `the walk had ${number} objects`)
    return `${objects.toLocaleString('en')} objects, ${changed} changed: ${changed} rows of history, ${gone} deleted; the walk begun before had all ${number.toLocaleString('en')} as they were`
  } finally {
    await service.stop()
  }
}
