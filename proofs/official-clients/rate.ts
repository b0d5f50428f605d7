// What a page of revision v2 costs the service, compared with the page of revision 2.0 that has the same objects. Rounds alternate,
// and processor time is what is compared, so that other work of the machine affects neither.
import { cpuSecondsOf } from '../harness/cpu-time.ts'
import { median } from '../harness/statistics.ts'
import { testToken } from '../../packages/service/test/support/test-access.ts'
import type { ServedCollection } from '../harness/with-store.ts'
import { loadSample } from '../harness/load-sample.ts'
import { sampleDefinition } from '../harness/sample-employees.ts'
import { expect, type Proof } from '../harness/prove.ts'

export async function proveRate(
  proof: Proof,
  { url, service: { pid }, store, ontology }: ServedCollection,
): Promise<void> {
  const objects = proof.short ? 20_000 : 100_000
  const rounds = proof.short ? 3 : 9
  // Few pages are too few to tell a tenth: the short form only detects a blunder.
  const leastShare = proof.short ? 0.6 : 0.9
  await proof.point(
    `Pages of revision v2 come at no less than ${leastShare} of the rate of pages of revision 2.0`,
    async () => {
      const type = await store.applyObjectType(ontology, sampleDefinition)
      await loadSample(store, type, { objects, say: proof.say })
      const search = {
        path: '/api/proof/v1/objects/types/employee/search',
        body: { query: { type: 'empty' } },
      }
      // As the client sends it.
      const load = {
        path: `/api/v2/ontologies/${ontology.rid}/objectSets/loadObjects`,
        body: {
          objectSet: { type: 'base', objectType: 'employee' },
          select: [],
          selectV2: [],
          loadPropertySecurities: false,
          excludeRid: true,
        },
      }
      const cost = async ({ path, body }: typeof search | typeof load): Promise<number> => {
        const before = cpuSecondsOf([pid])
        expect((await readAll(url + path, body)) === objects, `${path} did not return every object`)
        return cpuSecondsOf([pid]) - before
      }
      await cost(load)
      await cost(search)
      const [ofV2, of2]: [number[], number[]] = [[], []]
      for (let round = 0; round < rounds; round += 1) {
        // Whichever is first meets what the other has left behind.
        for (const kind of round % 2 === 0 ? [load, search] : [search, load]) {
          ;(kind === load ? ofV2 : of2).push(await cost(kind))
        }
      }
      const rate = (seconds: readonly number[]) => objects / median(seconds)
      const share = rate(ofV2) / rate(of2)
      expect(share >= leastShare, `only ${share.toFixed(2)}: ${ofV2.join(', ')} and ${of2.join(', ')} s`)
      const shown = (seconds: readonly number[]) =>
        `${Math.round(rate(seconds)).toLocaleString('en')} objects`
      return `${share.toFixed(2)}: ${shown(ofV2)} a second of the service's processor time in revision v2, ${shown(of2)} in 2.0, medians of ${rounds} rounds`
    },
  )
}

/** Follows the page tokens; returns the number of objects. */
async function readAll(url: string, body: object): Promise<number> {
  let pageToken: string | undefined
  let count = 0
  do {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, pageSize: 1_000, snapshot: true, pageToken }),
    })
    const page = (await response.json()) as {
      readonly data: readonly unknown[]
      readonly nextPageToken?: string
    }
    count += page.data.length
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
  return count
}
