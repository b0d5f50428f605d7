// One reader's pages as bars: what came is solid, what came again orange, what did not come red.
import type { ReaderName, WalkPage } from '../reader/messages.ts'

interface WalkPictureProps {
  readonly reader: ReaderName
  readonly pages: readonly WalkPage[]
  /** How many pages are expected. */
  readonly slots: number
  readonly pageSize: number
  /** By page: how many objects should have been there and were not. */
  readonly missed: ReadonlyMap<number, number>
  readonly label: string
}

const width = 600
const height = 190
const gap = 0.25

export function WalkPicture({ reader, pages, slots, pageSize, missed, label }: WalkPictureProps) {
  const count = Math.max(slots, pages.length, 1)
  const step = width / count
  // Above a full page is room for what it lacks, so that nothing has to be drawn again at the end.
  const scale = height / (pageSize * 1.35)
  const bar = (i: number, from: number, objects: number, kind: string) => (
    <rect
      key={`${kind}${i}`}
      class={kind}
      x={i * step + (step * gap) / 2}
      y={height - (from + objects) * scale}
      width={step * (1 - gap)}
      height={Math.max(objects * scale, objects > 0 ? 2 : 0)}
    />
  )
  return (
    <svg class={`walk-picture ${reader}`} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {Array.from({ length: count }, (_, i) => bar(i, 0, i < pages.length ? 0 : pageSize, 'expected'))}
      {pages.map(({ objects, repeated }, i) => bar(i, 0, objects - repeated, 'came'))}
      {pages.map(({ objects, repeated }, i) => repeated > 0 && bar(i, objects - repeated, repeated, 'again'))}
      {Array.from(missed, ([page, lost]) => bar(page, pages[page]?.objects ?? 0, lost, 'lost'))}
    </svg>
  )
}
