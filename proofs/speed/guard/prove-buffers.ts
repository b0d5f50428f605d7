// Buffers are counts, the same on every machine: what a page reads must not grow unnoticed.
import { expect, type Proof } from '../../harness/prove.ts'
import { explainPrepared } from '../../harness/measure-page.ts'
import { allKinds, describeKind, type PageKind } from '../contestants/page-kind.ts'
import { depthsOf } from '../contestants/depths.ts'
import { pageStatement } from '../contestants/page-statement.ts'
import type { SpeedData } from '../data/prepare-data.ts'

/**
 * A tenth above the counts when this was written (240, 252, 29 and 35): one more page of an index is not a regression.
 * Changed objects are stored away from their neighbours, which is why a page of 1,000 needs more than its 60 blocks.
 */
const mostBuffers = ({ pageSize, mode }: PageKind): number =>
  pageSize === 1_000 ? { latest: 264, snapshot: 277 }[mode] : { latest: 33, snapshot: 40 }[mode]

export async function proveBuffers(proof: Proof, data: SpeedData): Promise<void> {
  await proof.point('A page reads few blocks and no needless rows, and sorts nothing', async () => {
    const said: string[] = []
    for (const kind of allKinds) {
      const { all } = depthsOf(data.objects, kind.pageSize)
      const after = all[all.length >> 1] ?? 0
      const statement = await pageStatement(data.store, data.type, { kind, before: data.before, after })
      const facts = await explainPrepared(data.store.database, statement)
      const name = describeKind(kind)
      proof.say(`${name}: ${facts.buffers} buffers, ${facts.rowsRemoved} rows removed`)
      const most = mostBuffers(kind)
      expect(facts.buffers <= most, `${name}: ${facts.buffers} buffers, more than ${most}`)
      expect(facts.sequentialScans.length === 0, `${name}: reads all of ${facts.sequentialScans.join(', ')}`)
      expect(facts.greatestSort <= 2 * (kind.pageSize + 1), `${name}: sorts ${facts.greatestSort} rows`)
      const tooMany = kind.mode === 'snapshot' ? kind.pageSize / 5 : 0
      expect(facts.rowsRemoved <= tooMany, `${name}: ${facts.rowsRemoved} rows read and thrown away`)
      said.push(String(facts.buffers))
    }
    return `${said.join(', ')} buffers`
  })
}
