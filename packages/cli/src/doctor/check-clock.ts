import { ok, problem, warning, type Finding } from './finding.ts'

/** Half of the tolerance for tokens of an identity provider. */
const mostSeconds = 30
const noticedSeconds = 2
const mend = 'timedatectl set-ntp true'

/** Compares a clock with that of this machine, read just before and just after. */
export function judgeClock(whose: string, theirs: Date, [before, after]: readonly [Date, Date]): Finding {
  const early = before.getTime() - theirs.getTime()
  const late = theirs.getTime() - after.getTime()
  const seconds = Math.max(0, early, late) / 1_000
  if (seconds < noticedSeconds) return ok('clock', `${whose} has the time of this machine`)
  const text = `the clock of ${whose} is ${Math.round(seconds)} s ${early > late ? 'behind' : 'ahead of'} this machine`
  return seconds < mostSeconds ? warning('clock', text, mend) : problem('clock', text, mend)
}
