// How often a type was written to, and which of its states can still be read.
import { useEffect, useState } from 'preact/hooks'
import { readCommits, type KnownCommits } from '../earlier/commits.ts'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { failureOf, type Failure } from '../service/api.ts'
import type { FoundType } from '../types/catalog.ts'
import { numberText } from '../types/type-list.tsx'
import { secondsText } from './amounts.ts'
import { commitBars } from './commit-bars.ts'

export function VersionsOverTime({ family, type }: FoundType) {
  const [known, setKnown] = useState<KnownCommits>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    setKnown(undefined)
    setFailure(undefined)
    readCommits({ family: family.name, type: type.apiName }, { which: 'known' }).then(
      setKnown,
      (error: unknown) => setFailure(failureOf(error)),
    )
  }, [family.name, type])
  return (
    <>
      <h2>Versions over time</h2>
      {failure !== undefined && <FailureView failure={failure} />}
      {known !== undefined && <Picture {...known} />}
    </>
  )
}

const [bars, width, height] = [60, 10, 60]

function Picture({ commits, oldestReadable, isAll }: KnownCommits) {
  const [first, last] = [commits[0], commits.at(-1)]
  if (first === undefined || last === undefined) return <p class="faint">No commits are known any more.</p>
  const drawn = commitBars(commits, bars)
  const readableMs = oldestReadable === undefined ? undefined : Date.parse(oldestReadable.committedAt)
  const text =
    commits.length === 1
      ? `1 commit, ${timeText(first.committedAt)}.`
      : `${isAll ? '' : 'The newest '}${numberText(commits.length)} commits, from ${timeText(first.committedAt)} to ${timeText(last.committedAt)}; at most ${numberText(drawn.most)} in ${spanText(drawn.barMs)}.`
  return (
    <figure class="commits">
      <svg viewBox={`0 0 ${bars * width} ${height}`} preserveAspectRatio="none" role="img" aria-label={text}>
        {drawn.bars.map(({ from, commits: count }, i) => {
          const tall = count === 0 ? 0 : Math.max(2, (count / drawn.most) * height)
          const isReadable = readableMs === undefined || from + drawn.barMs >= readableMs
          return (
            <rect
              key={from}
              class={isReadable ? 'kept' : 'known'}
              x={i * width + 1}
              y={height - tall}
              width={width - 2}
              height={tall}
            />
          )
        })}
      </svg>
      <figcaption>
        {text}
        {oldestReadable !== undefined && (
          <>
            {' '}
            States can be read from version {numberText(oldestReadable.version)},{' '}
            {timeText(oldestReadable.committedAt)}, on; of commits before it only these counts are known.
          </>
        )}
      </figcaption>
    </figure>
  )
}

const spanText = (milliseconds: number): string =>
  milliseconds < 1_000
    ? `${Math.ceil(milliseconds)} ms`
    : secondsText(
        milliseconds < 600_000 ? Math.round(milliseconds / 1_000) : Math.round(milliseconds / 60_000) * 60,
      )
