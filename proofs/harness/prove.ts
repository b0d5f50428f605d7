// What every proof shares: named points, each of which shows sentences that a person can read.
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Proof {
  readonly short: boolean
  /** The values given for the proof's own options. */
  readonly given: Readonly<Record<string, unknown>>
  /** Prints a figure as soon as it is known. */
  readonly say: (line: string) => void
  /** Shows a sentence; a thrown error means that it was not shown. */
  readonly point: (sentence: string, show: () => Promise<string>) => Promise<void>
}

type Show<World> = (proof: Proof, world: World) => Promise<unknown>

interface PointIn<World> {
  readonly show: Show<World>
  /** `long`: the short form leaves it out, because a test shows it too or a short run shows nothing. `named`: gives figures only. */
  readonly runs: 'always' | 'long' | 'named'
}

export interface Point extends PointIn<undefined> {
  /** Makes what it shares with the points beside it that have the same. */
  readonly around?: Around
}

type Around = (proof: Proof, work: () => Promise<void>) => Promise<void>
export type Points = Readonly<Record<string, Point | Show<undefined>>>

/** A file of proofs/: `npm run prove -- NAME` runs it. */
export interface ProofFile {
  readonly points: Points
  /** Beside --point and --short. */
  readonly options?: ParseArgsOptionsConfig
  /** Says what the machine lacks for it. */
  readonly missing?: () => Promise<string | undefined>
}

export const inLongForm = <World>(show: Show<World>): PointIn<World> => ({
  show,
  runs: 'long',
})

export const whenNamed = <World>(show: Show<World>): PointIn<World> => ({
  show,
  runs: 'named',
})

/** Points that share something, which is made before the first of them and removed after the last. */
export function within<World>(
  open: (work: (world: World) => Promise<void>, proof: Proof) => Promise<unknown>,
  points: Readonly<Record<string, PointIn<World> | Show<World>>>,
): Points {
  let opened: { readonly world: World } | undefined
  const around: Around = async (proof, work) => {
    await open(async (world) => {
      opened = { world }
      await work()
    }, proof)
  }
  const inside = (show: Show<World>): Show<undefined> => {
    return async (proof) => {
      if (opened === undefined) throw new Error('The points use something that was not opened.')
      await show(proof, opened.world)
    }
  }
  return Object.fromEntries(
    Object.entries(points).map(([name, point]) => {
      const { show, runs } = pointIn(point)
      return [name, { show: inside(show), runs, around }]
    }),
  )
}

const pointIn = <World>(point: PointIn<World> | Show<World>): PointIn<World> =>
  typeof point === 'function' ? { show: point, runs: 'always' } : point

export const pointOf = (point: Point | Show<undefined>): Point => pointIn(point)

export interface RunningProof {
  readonly proof: Proof
  readonly shown: () => number
  /** What was not shown, and why. */
  readonly missed: readonly string[]
}

export interface ProofOptions {
  readonly short: boolean
  readonly given?: Proof['given']
  readonly print: (line: string) => void
  /** Only sentences that have this text. */
  readonly sentence?: string
}

export function startProof({ short, given = {}, print, sentence = '' }: ProofOptions): RunningProof {
  let shown = 0
  const missed: string[] = []
  const say = (line: string): void => print(`   ${line}`)
  return {
    shown: () => shown,
    missed,
    proof: {
      short,
      given,
      say,
      point: async (says, show) => {
        if (!says.includes(sentence)) return
        print(`-- ${says}`)
        const began = performance.now()
        try {
          const what = await show()
          say(`shown: ${what} (${Math.round((performance.now() - began) / 1_000)} s)`)
          shown += 1
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          say(`NOT SHOWN: ${why}`)
          missed.push(`${says}: ${why}`)
        }
      },
    },
  }
}

/** Shows these points in order, and makes what some of them share only once. */
export async function showPoints(proof: Proof, points: readonly Point[]): Promise<void> {
  const groups: { readonly around: Around | undefined; readonly points: Point[] }[] = []
  for (const point of points) {
    const last = groups.at(-1)
    if (point.around !== undefined && last?.around === point.around) last.points.push(point)
    else groups.push({ around: point.around, points: [point] })
  }
  for (const group of groups) {
    const work = async () => {
      for (const { show } of group.points) await show(proof, undefined)
    }
    await (group.around === undefined ? work() : group.around(proof, work))
  }
}

/** The points of these names; by default those that the form has. */
export function choosePoints(
  points: Points,
  { named, short }: { readonly named: readonly string[]; readonly short: boolean },
): readonly Point[] {
  const wrong = named.find((name) => !Object.hasOwn(points, name))
  if (wrong !== undefined) {
    throw new RangeError(`There is no point "${wrong}". There are: ${Object.keys(points).join(', ')}.`)
  }
  return Object.entries(points)
    .map(([name, point]) => ({ name, ...pointOf(point) }))
    .filter(({ name, runs }) =>
      named.length > 0 ? named.includes(name) : runs === 'always' || (runs === 'long' && !short),
    )
}

export function expect(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
