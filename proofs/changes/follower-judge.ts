// Judges every state that a follower reports: its copy has the checksum and the number of objects of that state, holds only what was
// written, and is what a walk of the same state returns.
import { isDeepStrictEqual } from 'node:util'
import { OctavoError, type FoundObject, type FoundObjects } from '@octavo/client'
import { checksumOf } from '@octavo/model'
import type { CommitOracle } from '../harness/faults/commit-oracle.ts'
import { editionOf, type Edition } from '../harness/faults/fault-objects.ts'
import { judgeSnapshotWalk, type SnapshotWalkRead } from '../harness/faults/judge-walk.ts'
import type { ReportedState } from './follower-order.ts'

/** An asynchronous failover: of the states before it, those up to this version were kept. */
export interface Failover {
  readonly survived: number
  /** When the new primary could first be asked. */
  readonly openedAt: number
}

/** A follower may still be busy with an answer of a server that was killed. */
const mostUnderWayMilliseconds = 5_000

export interface JudgeSettings {
  readonly objects: FoundObjects
  /** Knows every version, as long as none is lost. */
  readonly oracle: CommitOracle | undefined
  readonly failovers: readonly Failover[]
}

export class FollowerJudge {
  states = 0
  changes = 0
  walks = 0
  /** States that were gone before a walk had read them. */
  gone = 0
  readonly came = new Map<string, number>()
  readonly wrong: string[] = []
  /** The version of the last state. */
  reached = 0
  #reachedAt = 0
  readonly #name: string
  readonly #settings: JudgeSettings
  readonly #toCompare: SnapshotWalkRead[] = []
  #walking: Promise<void> | undefined

  constructor(name: string, settings: JudgeSettings) {
    this.#name = name
    this.#settings = settings
  }

  hear(state: ReportedState): void {
    const { odd, checksum, totalCount, objects, changes, fromFile } = state
    const by = fromFile ? 'file' : state.by
    const version = Number(state.version)
    this.#judgeRestart(state)
    for (const each of odd) this.#say(version, each)
    if (checksum === undefined) this.#say(version, 'the state came without a checksum')
    else if (checksumOf(objects) !== checksum) {
      this.#say(version, `the copy, which came by ${by}, has not the checksum of the state`)
    }
    if (Number(totalCount) !== objects.length) {
      this.#say(version, `${objects.length} objects instead of ${totalCount}`)
    }
    this.states += 1
    this.changes += changes
    // The follower was killed after it had stored the state and before it had reported it.
    const isUnheard = fromFile && state.reachedAt !== this.#reachedAt
    for (const way of isUnheard ? [by, state.by] : [by]) this.came.set(way, (this.came.get(way) ?? 0) + 1)
    this.reached = version
    this.#reachedAt = state.reachedAt
    this.#compareWithCommits(version, objects)
    // One walk at a time: under many changes, states follow each other more quickly than they can be read.
    this.#walking ??= this.#compareWithWalk(state).finally(() => (this.#walking = undefined))
  }

  /** Resolves when nothing is left to compare. */
  async end(): Promise<void> {
    await this.#walking
    this.#compareKnown()
    const [left] = this.#toCompare
    if (left !== undefined) this.#say(left.version, 'the state is that of no acknowledged commit')
  }

  #say(version: number, problem: string): void {
    this.wrong.push(`${this.#name}, version ${version}: ${problem}`)
  }

  /** A state that was lost must be noticed, and no other. */
  #judgeRestart({ by, fromFile, reachedAt }: ReportedState): void {
    const before = this.reached
    if (fromFile || before === 0) return
    const lostBy = this.#settings.failovers.filter(
      ({ survived, openedAt }) => before > survived && this.#reachedAt < openedAt + mostUnderWayMilliseconds,
    )
    const isGoneOnFrom = ({ openedAt }: Failover) =>
      this.#reachedAt < openedAt && reachedAt > openedAt + mostUnderWayMilliseconds
    if (by === 'changes') {
      if (lostBy.some(isGoneOnFrom))
        this.#say(before, 'the state was lost, and the follower was not notified')
    } else if (by !== 'restart: historyChanged' || lostBy.length === 0) {
      this.#say(before, `the state was not lost, and yet there is a ${by}`)
    }
  }

  #compareWithCommits(version: number, objects: readonly FoundObject[]): void {
    let editions: readonly Edition[] = []
    try {
      editions = objects.map(editionOf).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    } catch (error) {
      this.#say(version, (error as Error).message)
    }
    if (this.#settings.oracle === undefined) return
    this.#toCompare.push({ version, order: 'by key', editions })
    this.#compareKnown()
  }

  #compareKnown(): void {
    const { oracle } = this.#settings
    if (oracle === undefined) return
    const isKnown = ({ version }: SnapshotWalkRead) => version <= oracle.known
    const known = this.#toCompare.filter(isKnown)
    this.#toCompare.splice(0, Infinity, ...this.#toCompare.filter((each) => !isKnown(each)))
    for (const read of known) {
      const problem = judgeSnapshotWalk(oracle, read)
      if (problem !== undefined) this.wrong.push(`${this.#name}: ${problem}`)
    }
  }

  async #compareWithWalk({ snapshotToken, version, objects }: ReportedState): Promise<void> {
    const read: FoundObject[] = []
    try {
      for await (const object of this.#settings.objects.all({ snapshotToken })) read.push(object)
    } catch (error) {
      // While the service is down, or after the state was lost or pruned, there is nothing to compare with.
      if (!(error instanceof OctavoError)) throw error
      this.gone += 1
      return
    }
    this.walks += 1
    const copy = new Map(objects.map((object) => [object.primaryKey, object]))
    const lost = read.filter((object) => !isDeepStrictEqual(copy.get(object.primaryKey), object))
    const leftOver = copy.size - (read.length - lost.filter(({ primaryKey }) => !copy.has(primaryKey)).length)
    if (lost.length > 0 || leftOver > 0) {
      this.#say(Number(version), `${lost.length} objects are lost or old, ${leftOver} left over`)
    }
  }
}
