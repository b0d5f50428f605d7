import { describe, expect, it } from 'vitest'
import {
  choosePoints,
  inLongForm,
  showPoints,
  startProof,
  whenNamed,
  within,
  type Points,
} from '../../proofs/harness/prove.ts'
import { claims } from '../check/claims.ts'
import { describeProof, loadProof, proofNames } from './proofs.ts'

const shown: string[] = []
const shows = (name: string) => async () => shown.push(name)
const points: Points = {
  first: shows('first'),
  ...within(
    async (work: (world: string) => Promise<void>) => {
      shown.push('open')
      await work('world')
      shown.push('close')
    },
    {
      second: async (_proof, world) => shown.push(`second in the ${world}`),
      third: inLongForm(shows('third')),
    },
  ),
  figures: whenNamed(shows('figures')),
}

async function showing(options: Parameters<typeof choosePoints>[1]): Promise<readonly string[]> {
  shown.length = 0
  await showPoints(startProof({ short: options.short, print: () => {} }).proof, choosePoints(points, options))
  return [...shown]
}

describe('the points of a proof', () => {
  it('are all of its form, and what some share is made once', async () => {
    expect(await showing({ named: [], short: true })).toEqual([
      'first',
      'open',
      'second in the world',
      'close',
    ])
    expect(await showing({ named: [], short: false })).toEqual([
      'first',
      'open',
      'second in the world',
      'third',
      'close',
    ])
  })

  it('are those that are named, in whatever form', async () => {
    expect(await showing({ named: ['third', 'figures'], short: true })).toEqual([
      'open',
      'third',
      'close',
      'figures',
    ])
  })

  it('are listed if a name is wrong', () => {
    expect(() => choosePoints(points, { named: ['fourth'], short: true })).toThrow(
      'There is no point "fourth". There are: first, second, third, figures.',
    )
  })
})

it('a proof that is not there is refused with those that are', async () => {
  await expect(loadProof('stroe')).rejects.toThrow(
    /no proof "stroe". There are: access, .*, store, workspace\.$/,
  )
})

it.each(proofNames)('%s says what it shows', async (name) => {
  const proof = await loadProof(name)
  const [called, ...lines] = describeProof(name, proof, claims).split('\n   ')
  expect(called).toBe(name)
  expect(lines.at(-1)).toContain(Object.keys(proof.points)[0])
})
