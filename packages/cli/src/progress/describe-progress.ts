import { countText, durationText } from '../output/numbers.ts'

export interface ProgressFacts {
  readonly objects: number
  /** From 0 to 1; undefined if the total is unknown. */
  readonly fraction: number | undefined
  readonly elapsedMs: number
  /** Loaded before this run of a resumed load began. */
  readonly before: { readonly objects: number; readonly fraction: number }
  readonly rejected: number
  /** The work that remains once everything was sent. */
  readonly phase?: string | undefined
}

const barPlaces = 20

/** `[#####---------------]  25 %  1,250,000 objects  31,200/s  2 min 00 s left  3 rejected` */
export function describeProgress(facts: ProgressFacts): string {
  const { objects, fraction, elapsedMs, before, rejected } = facts
  const seconds = Math.max(elapsedMs / 1_000, 0.001)
  const rate = (objects - before.objects) / seconds
  const parts = [
    fraction === undefined ? undefined : `${bar(fraction)} ${percent(fraction)}`,
    `${countText(objects)} ${objects === 1 ? 'object' : 'objects'}`,
    `${countText(Math.round(rate))}/s`,
    fraction === undefined ? undefined : timeLeft(fraction, facts),
    rejected === 0 ? undefined : `${countText(rejected)} rejected`,
    facts.phase,
  ]
  return parts.filter((part) => part !== undefined).join('  ')
}

function bar(fraction: number): string {
  const full = Math.floor(Math.min(1, fraction) * barPlaces)
  return `[${'#'.repeat(full)}${'-'.repeat(barPlaces - full)}]`
}

/** Rounded down, so that 100 % appears only at the end. */
const percent = (fraction: number): string =>
  `${String(Math.floor(Math.min(1, fraction) * 100)).padStart(3)} %`

function timeLeft(fraction: number, { before, elapsedMs }: ProgressFacts): string | undefined {
  const done = fraction - before.fraction
  if (done <= 0 || fraction >= 1) return undefined
  return `${durationText((elapsedMs * (1 - fraction)) / done)} left`
}
