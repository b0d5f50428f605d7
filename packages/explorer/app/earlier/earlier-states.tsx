// The table as it was: a slider over the commits whose states are kept.
import type { TypeCommit } from '@octavo/client'
import { useEffect, useState } from 'preact/hooks'
import { FailureView } from '../controls/failure-view.tsx'
import { timeText } from '../controls/time-text.ts'
import { failureOf, type Failure } from '../service/api.ts'
import { numberText } from '../types/type-list.tsx'
import { go } from '../url/location.ts'
import { commitOf, readCommits, type KnownCommits } from './commits.ts'
import { showVersion } from './show-version.ts'

export interface EarlierStatesProps {
  readonly family: string
  readonly type: string
  /** The snapshot token in the address; absent for the latest state. */
  readonly at: string | undefined
  /** Of the state that is shown; unknown until its first page has come. */
  readonly version: string | undefined
  readonly onClose: () => void
}

export function EarlierStates({ family, type, at, version, onClose }: EarlierStatesProps) {
  const [known, setKnown] = useState<KnownCommits>()
  const [failure, setFailure] = useState<Failure>()
  /** Where the slider is while another state is chosen. */
  const [chosen, setChosen] = useState<number>()
  const read = async (): Promise<void> => {
    try {
      setKnown(await readCommits({ family, type }, { which: 'readable' }))
    } catch (error) {
      setFailure(failureOf(error))
    }
  }
  useEffect(() => void read(), [family, type, at === undefined ? version : at])
  useEffect(() => {
    setChosen(undefined)
    setFailure(undefined)
  }, [at, version])

  const commits = known?.commits ?? []
  const last = commits.length - 1
  const shown = chosen ?? (version === undefined ? -1 : commitOf(commits, version))
  const choose = async (number: number): Promise<void> => {
    const commit = commits[number]
    if (commit === undefined) return
    if (number === last && at !== undefined) return go({ at: undefined })
    const problem = await showVersion({ family, type }, commit.version)
    setFailure(problem)
    if (problem === undefined) return
    setChosen(undefined)
    void read()
  }
  const text = wordsOf(commits[shown], last - shown)
  return (
    <div class={at === undefined ? 'earlier' : 'earlier past'} role="group" aria-label="The table as it was">
      <p role="status">
        <strong>{titleOf(at, last - shown)}</strong> {text}
      </p>
      {at === undefined ? (
        <button class="plain" onClick={onClose}>
          Close
        </button>
      ) : (
        <button class="primary" onClick={() => go({ at: undefined })}>
          Back to now
        </button>
      )}
      {last > 0 && (
        <label>
          <span>Commit</span>
          <input
            type="range"
            min={0}
            max={last}
            value={shown === -1 ? last : shown}
            aria-valuetext={text}
            onInput={({ currentTarget }) => setChosen(Number(currentTarget.value))}
            onChange={({ currentTarget }) => void choose(Number(currentTarget.value))}
          />
          <span class="ends">
            <span>{timeText(commits[0]?.committedAt ?? '')}</span>
            <span>{timeText(commits[last]?.committedAt ?? '')}</span>
          </span>
        </label>
      )}
      {last === 0 && (
        <p class="faint">
          No other state is kept. How long one is kept after a change is set with{' '}
          <code>--snapshot-retention-seconds</code>.
        </p>
      )}
      {known?.isAll === false && (
        <p class="faint">
          The slider has the newest {numberText(commits.length)} commits; an older state is reached from the
          history of an object.
        </p>
      )}
      {failure !== undefined && <Refused failure={failure} />}
    </div>
  )
}

function titleOf(at: string | undefined, after: number): string {
  if (at !== undefined) return 'The table as it was.'
  return after === 0 ? 'The latest state.' : 'The state on the screen.'
}

function wordsOf(commit: TypeCommit | undefined, after: number): string {
  if (commit === undefined) return ''
  const { version, committedAt, created = 0, updated = 0, deleted = 0 } = commit
  const what = [
    created > 0 && `${numberText(created)} created`,
    updated > 0 && `${numberText(updated)} updated`,
    deleted > 0 && `${numberText(deleted)} deleted`,
  ]
    .filter((part) => part !== false)
    .join(', ')
  const since =
    after === 0 ? '' : `, ${numberText(after)} ${after === 1 ? 'commit' : 'commits'} before the latest`
  return `Version ${numberText(version)}, ${timeText(committedAt)}${what === '' ? '' : ` (${what})`}${since}.`
}

const Refused = ({ failure }: { readonly failure: Failure }) => (
  <>
    <FailureView failure={failure} />
    {failure.name === 'SnapshotTooOld' && (
      <p class="faint">
        The slider now begins with the oldest state that is kept. How long one is kept after a change is set
        with <code>--snapshot-retention-seconds</code>.
      </p>
    )}
  </>
)
