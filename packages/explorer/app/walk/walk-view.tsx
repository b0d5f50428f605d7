// The promise itself, as a picture: two readers of one type side by side, while others write.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { OrderKey } from '@octavo/client'
import { FailureView } from '../controls/failure-view.tsx'
import { OrderMenu } from '../grid/order-menu.tsx'
import type { ReaderFailure, ReaderName, WalkPage, WalkResult } from '../reader/messages.ts'
import { startReader } from '../reader/start-reader.ts'
import { failureOf, type Failure } from '../service/api.ts'
import { token } from '../sign-in/session.ts'
import { readCatalog, readStatistics, type FoundType } from '../types/catalog.ts'
import { numberText } from '../types/type-list.tsx'
import { go, view } from '../url/location.ts'
import { demoType, prepareDemoType, startDemoWriter } from './demo-writer.ts'
import { WalkPicture } from './walk-picture.tsx'

interface Run {
  readonly type: string
  readonly total: number
  readonly pageSize: number
  readonly hasWriter: boolean
  readonly plain: readonly WalkPage[]
  readonly snapshot: readonly WalkPage[]
  readonly result: WalkResult | undefined
}

/** The keys of both walks are kept in memory, to compare them. */
const mostObjects = 500_000

export function WalkView({ family, type }: FoundType) {
  const run = useSignal<Run | undefined>(undefined)
  const failure = useSignal<Failure | undefined>(undefined)
  const isRunning = useSignal(false)
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [type])

  const begin = async (name: string, order: readonly OrderKey[], hasWriter: boolean): Promise<void> => {
    stop.current()
    failure.value = undefined
    isRunning.value = true
    try {
      if (hasWriter) {
        await prepareDemoType(family.ontology.rid)
        await readCatalog()
      }
      const total = (await readStatistics(family.ontology.rid, name)).objectCount
      if (total > mostObjects)
        throw new Error(`This picture is for at most ${numberText(mostObjects)} objects.`)
      const pageSize = Math.min(1_000, Math.max(50, Math.ceil(total / 48)))
      run.value = { type: name, total, pageSize, hasWriter, plain: [], snapshot: [], result: undefined }
      const writer = hasWriter ? startDemoWriter(family.ontology.rid) : undefined
      const pauseMilliseconds = Math.min(160, 8_000 / Math.max(1, total / pageSize))
      const primaryKey = hasWriter ? 'id' : type.primaryKey
      const target = { url: location.origin, token: token.value ?? '', family: family.name, type: name }
      const job = { kind: 'walk', ...target, primaryKey, order, pageSize, pauseMilliseconds }
      const end = startReader<WalkPage | WalkResult>(job, { onMessage: (message) => take(message) })
      stop.current = () => {
        end()
        writer?.stop()
        isRunning.value = false
      }
    } catch (error) {
      failure.value = failureOf(error)
      isRunning.value = false
    }
  }
  const take = (message: WalkPage | WalkResult | ReaderFailure): void => {
    const now = run.value
    if (now === undefined) return
    if (message.kind === 'page') {
      run.value = { ...now, [message.reader]: [...now[message.reader], message] }
      return
    }
    stop.current()
    if (message.kind === 'walked') run.value = { ...now, result: message }
    else
      failure.value = {
        name: message.name,
        sentence: message.sentence,
        parameters: {},
        instanceId: undefined,
      }
  }
  const { order } = view.value
  return (
    <section class="walk">
      <p class="lead">
        Two readers read the same objects at the same time, page by page. One takes pages as they come, which
        is what most interfaces offer. The other reads from a snapshot.
      </p>
      <div class="actions">
        {family.ontology.role === 'owner' && (
          <button
            class="primary"
            disabled={isRunning.value}
            title={`Makes a type ${demoType} in ${family.ontology.displayName}, and writes to it while the readers read`}
            onClick={() => void begin(demoType, [{ field: 'rank', direction: 'asc' }], true)}
          >
            Run with a writer
          </button>
        )}
        <button disabled={isRunning.value} onClick={() => void begin(type.apiName, order, false)}>
          Run on {type.displayName}, as it really changes
        </button>
        <OrderMenu type={type} order={order} onOrder={(next) => go({ order: next })} />
        {isRunning.value && <button onClick={() => stop.current()}>Stop</button>}
      </div>
      {family.ontology.role === 'owner' && (
        <p class="faint">
          The writer moves, inserts and deletes objects of a type <code>{demoType}</code> that is made for it
          in {family.ontology.displayName}. Everything is real: the writer, the readers and the service.
        </p>
      )}
      {failure.value !== undefined && <FailureView failure={failure.value} />}
      {run.value !== undefined && <Readers run={run.value} />}
    </section>
  )
}

function Readers({ run }: { readonly run: Run }) {
  const { result, hasWriter } = run
  return (
    <>
      <div class="readers">
        <Reader run={run} reader="plain" />
        <Reader run={run} reader="snapshot" />
      </div>
      <p class="meanwhile" role="status">
        {result === undefined
          ? hasWriter
            ? 'The writer is moving, inserting and deleting objects.'
            : 'Reading.'
          : `While they read, others changed ${numberText(result.changed)} objects, inserted ${numberText(result.inserted)} and deleted ${numberText(result.deleted)}.`}
      </p>
    </>
  )
}

const titles = { plain: 'Pages as they come', snapshot: 'From a snapshot' } as const

function Reader({ run, reader }: { readonly run: Run; readonly reader: ReaderName }) {
  const { result, total, pageSize } = run
  const pages = run[reader]
  const objects = pages.reduce((sum, page) => sum + page.objects, 0)
  const again = pages.reduce((sum, page) => sum + page.repeated, 0)
  const missedNumbers = reader === 'plain' ? (result?.missed ?? []) : []
  const missed = new Map<number, number>()
  for (const number of missedNumbers) {
    const page = Math.floor(number / pageSize)
    missed.set(page, (missed.get(page) ?? 0) + 1)
  }
  const lost = missedNumbers.length
  const isWhole = result !== undefined && lost === 0 && again === 0
  const label = `${titles[reader]}: ${pages.length} pages, ${objects} objects, ${lost} missed, ${again} came twice`
  return (
    <article class={`reader ${reader}`} aria-label={titles[reader]}>
      <h2>{titles[reader]}</h2>
      <WalkPicture
        reader={reader}
        pages={pages}
        slots={Math.ceil(total / pageSize)}
        pageSize={pageSize}
        missed={missed}
        label={label}
      />
      <dl class="figures">
        <div>
          <dt>came</dt>
          <dd>{numberText(objects)}</dd>
        </div>
        <div class={lost > 0 ? 'lost' : ''}>
          <dt>missed</dt>
          <dd>{result === undefined ? '…' : numberText(lost)}</dd>
        </div>
        <div class={again > 0 ? 'again' : ''}>
          <dt>came twice</dt>
          <dd>{numberText(again)}</dd>
        </div>
      </dl>
      {result === undefined ? <p /> : <Verdict reader={reader} result={result} isWhole={isWhole} />}
    </article>
  )
}

interface VerdictProps {
  readonly reader: ReaderName
  readonly result: WalkResult
  readonly isWhole: boolean
}

function Verdict({ reader, result, isWhole }: VerdictProps) {
  if (reader === 'plain') {
    return isWhole ? (
      <p class="faint">Nothing was missed this time: nothing moved across the place where it read.</p>
    ) : (
      <p class="problem">
        It ended without an error. All that its last page says is that others wrote meanwhile.
      </p>
    )
  }
  const total = numberText(result.total)
  return (
    <p class="good">
      ✓ {total} of {total} objects of version {numberText(result.version)}, each once.
      {result.checksum !== undefined && (
        <>
          {' '}
          Checksum <code>{result.checksum}</code> verified.
        </>
      )}
    </p>
  )
}
