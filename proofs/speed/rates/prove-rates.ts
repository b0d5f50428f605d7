import { bareServer } from '../contestants/bare.ts'
import type { Contestant } from '../contestants/contestant.ts'
import { octavo } from '../contestants/octavo.ts'
import { allKinds, describeKind } from '../contestants/page-kind.ts'
import { peers } from '../../harness/peers/peers.ts'
import { peerContestant } from '../contestants/peer.ts'
import { median } from '../../harness/statistics.ts'
import { installPeers, startPeer } from '../../harness/peers/start-peer.ts'
import type { ServerProcess } from '../../harness/server-process.ts'
import { expect } from '../../harness/prove.ts'
import type { SpeedRun } from '../run.ts'
import { measureRates, type Cell, type Rate } from './measure-rates.ts'
import { rateLines } from './rate-table.ts'

/** The number of connections at which all contestants are measured. */
const fewConnections = 4

export async function proveRates(
  run: SpeedRun,
  services: readonly ServerProcess[],
): Promise<readonly Rate[]> {
  const { proof, data, options } = run
  const started: ServerProcess[] = []
  let rates: readonly Rate[] = []
  try {
    const cells = await makeCells(run, services, started)
    const contestants = [...new Set(cells.flatMap((cell) => cell.contestants))]
    let checked = false
    await proof.point('Every contestant returns the right objects, in order, at every depth', async () => {
      for (const contestant of contestants) {
        await contestant.check().catch((error: Error) => {
          throw new Error(`${contestant.name}, pages of ${contestant.pageSize}: ${error.message}`)
        })
      }
      checked = true
      return `${contestants.length} contestants, five depths each`
    })
    // A rate of wrong pages would mean nothing.
    if (!checked) return []
    await proof.point('Every contestant answers every request of every round', async () => {
      rates = await measureRates(cells, {
        ...options,
        warmUp: !proof.short,
        cluster: data.cluster,
        say: proof.say,
      })
      for (const line of rateLines(rates)) proof.say(line)
      return `${rates.length} rates, each the median of ${options.rounds} rounds of ${options.seconds} s`
    })
  } finally {
    for (const service of started) await service.stop()
  }
  if (rates.length > 0) await compare(run, rates)
  return rates
}

async function makeCells(
  { proof, data, options }: SpeedRun,
  services: readonly ServerProcess[],
  started: ServerProcess[],
): Promise<readonly Cell[]> {
  const kinds: Omit<Cell, 'connections'>[] = []
  for (const kind of allKinds) {
    const contestants: Contestant[] = [await bareServer(data, kind), octavo(data, services.slice(0, 1), kind)]
    const isPlain = kind.mode === 'latest' && kind.revision === '2.0'
    if (isPlain && services.length > 1) contestants.push(octavo(data, services, kind))
    kinds.push({ kind, contestants })
  }
  const cells: Cell[] = options.connections.flatMap((connections) =>
    kinds.map((each) => ({ ...each, connections })),
  )
  if (!options.peers) return cells
  await installPeers(proof.say)
  for (const peer of peers) {
    const service = await startPeer({ ...peer, databaseUrl: data.cluster.url })
    started.push(service)
    for (const [i, cell] of cells.entries()) {
      const { kind, connections } = cell
      if (kind.mode !== 'latest' || kind.revision !== '2.0' || connections !== fewConnections) continue
      const contestant = peerContestant(peer, { service, pageSize: kind.pageSize, objects: data.objects })
      cells[i] = { ...cell, contestants: [...cell.contestants, contestant] }
    }
  }
  return cells
}

async function compare({ proof, options, data }: SpeedRun, rates: readonly Rate[]): Promise<void> {
  const ours = rates.filter(({ name }) => name === 'Octavo')
  for (const [pageSize, wanted] of [
    [1_000, 0.55],
    // Most of a small page is its request: HTTP, the cipher of the token, log and audit.
    [100, 0.25],
  ] as const) {
    // The short form does not assert times: it would fail only if the page path had become a different one.
    const least = proof.short ? 0.05 : wanted
    await proof.point(`Pages of ${pageSize} reach ${least} of PostgreSQL alone`, async () => {
      const some = ours.filter(({ kind }) => kind.pageSize === pageSize)
      const worst = some.toSorted((a, b) => a.ratio - b.ratio)[0]
      expect(worst !== undefined, 'nothing was measured')
      const where = `${describeKind(worst.kind)}, ${worst.connections} connections`
      expect(worst.ratio >= least, `${worst.ratio.toFixed(2)} for ${where}`)
      return `${median(some.map(({ ratio }) => ratio)).toFixed(2)} in the median, ${worst.ratio.toFixed(2)} at worst (${where})`
    })
  }
  if (proof.short) return
  await proof.point('Snapshot pages take at most 1.15 times as long as latest pages', async () => {
    const cells = ours
      .filter(({ kind }) => kind.mode === 'latest')
      .map((latest) => timesOfSnapshots(ours, latest))
    // For each kind of page, over all rounds at all numbers of connections: those of one number differ by more than the
    // bound.
    const kinds = Map.groupBy(cells, ({ latest: { kind } }) => kind)
    const worst = [...kinds.values()]
      .map((some) => ({ kind: some[0]?.latest.kind, times: median(some.flatMap(({ times }) => times)) }))
      .toSorted((a, b) => b.times - a.times)[0]
    const worstCell = cells.toSorted((a, b) => median(b.times) - median(a.times))[0]
    expect(worst?.kind !== undefined && worstCell !== undefined, 'nothing was measured')
    const { latest, times } = worstCell
    const said = `${worst.times.toFixed(2)} times at worst (${describeKind(worst.kind)}; with ${latest.connections} connections ${median(times).toFixed(2)} for ${describeKind(latest.kind)})`
    expect(worst.times <= 1.15, said)
    return said
  })
  if (!options.peers) return
  for (const { file, wanted } of [
    { file: 'postgraphile-service.mjs', wanted: { 1_000: 4, 100: 3 } },
    { file: 'keyset-service.ts', wanted: { 1_000: 2, 100: 1.4 } },
    { file: 'offset-service.ts', wanted: { 1_000: 50, 100: 50 } },
  ] as const) {
    const name = peers.find((peer) => peer.file === file)?.name
    // The cost of OFFSET is its depth: the claim is for 900,000 objects before the page.
    const isShallow = file === 'offset-service.ts' && data.objects < 1_000_000
    for (const pageSize of [1_000, 100] as const) {
      const least = isShallow ? 1 : wanted[pageSize]
      await proof.point(`Pages of ${pageSize}: at least ${least} times as fast as ${name}`, async () => {
        const peer = rates.find((rate) => rate.name === name && rate.kind.pageSize === pageSize)
        expect(peer !== undefined, 'nothing was measured')
        const times = timesAsFast(rates, peer)
        expect(times >= least, `${times.toFixed(1)} times`)
        return `${times.toFixed(1)} times`
      })
    }
  }
}

/** Compared round by round: the two of a round were measured within seconds. */
function timesOfSnapshots(ours: readonly Rate[], latest: Rate) {
  const snapshot = ours.find(
    ({ kind, connections }) =>
      kind.mode === 'snapshot' &&
      kind.pageSize === latest.kind.pageSize &&
      kind.revision === latest.kind.revision &&
      connections === latest.connections,
  )
  const times = latest.rounds.map(
    (round, i) => round.pagesPerSecond / (snapshot?.rounds[i]?.pagesPerSecond ?? 0),
  )
  return { latest, times }
}

function timesAsFast(rates: readonly Rate[], peer: Rate): number {
  const ours = rates.find(
    ({ name, kind, connections }) =>
      name === 'Octavo' && kind === peer.kind && connections === peer.connections,
  )
  return median(peer.rounds.map((round, i) => (ours?.rounds[i]?.pagesPerSecond ?? 0) / round.pagesPerSecond))
}
