import { fileURLToPath } from 'node:url'
import type { Proof } from '../harness/prove.ts'

export interface SpeedOptions {
  readonly objects: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: readonly number[]
  /** The number of processes of the service, where several share the connections. */
  readonly processes: number
  /** Whether what a team would use instead is measured too. */
  readonly peers: boolean
  /** Whether the service runs as it is published, or from source. */
  readonly built: boolean
  /** The folder for the report. */
  readonly out: string
}

export function readSpeedOptions({ short, given }: Proof): SpeedOptions {
  const number = (name: 'objects' | 'rounds' | 'seconds', otherwise: number): number => {
    const value = given[name] === undefined ? otherwise : Number(given[name])
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number above zero.`)
    return value
  }
  const objects = number('objects', short ? 20_000 : 1_000_000)
  if (objects < 10_000) throw new Error('--objects must be at least 10,000: fewer have no deep pages.')
  return {
    objects,
    rounds: number('rounds', short ? 1 : 5),
    seconds: number('seconds', short ? 1 : 4),
    connections: short ? [4] : [4, 16, 64],
    processes: short ? 1 : 2,
    peers: !short && given['without-peers'] !== true,
    built: !short,
    out:
      typeof given['out'] === 'string'
        ? given['out']
        : fileURLToPath(new URL('../../docs/reference', import.meta.url)),
  }
}
