// What a disk, a user or another program may do to an unfinished export.
import {
  copyFileSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Chance } from '../chances.ts'

/** What an export has left in a folder. */
export const leftOf = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => /[.]part\d*$|octavo-export/.test(name))

/** Says what was done. */
export function harm(folder: string, chance: Chance): string {
  const left = leftOf(folder).filter((name) => !name.endsWith('.lock'))
  if (left.length === 0) return 'nothing to harm'
  const parts = left.filter((each) => !each.endsWith('.json'))
  const name = chance.one(parts.length > 0 && chance.below(5) > 0 ? parts : left)
  const path = join(folder, name)
  const { size } = statSync(path)
  const how = chance.one([
    'cut',
    'cut',
    'cut and zeros',
    'longer',
    'a byte',
    'removed',
    'another part',
    'emptied',
  ] as const)
  switch (how) {
    case 'cut':
      truncateSync(path, chance.below(size + 1))
      break
    case 'cut and zeros':
      truncateSync(path, chance.below(size + 1))
      truncateSync(path, size)
      break
    case 'longer':
      writeFileSync(path, `{"id":"k${chance.below(1_000)}"}\n`, { flag: 'a' })
      break
    case 'a byte':
      writeByte(path, chance.below(Math.max(1, size)))
      break
    case 'removed':
      rmSync(path)
      break
    case 'another part':
      copyOver(join(folder, chance.one(left)), path)
      break
    case 'emptied':
      writeFileSync(path, '')
      break
    default:
      how satisfies never
  }
  return `${name} ${how}`
}

function copyOver(from: string, to: string): void {
  if (from !== to) copyFileSync(from, to)
}

function writeByte(path: string, offset: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, '7', offset)
  closeSync(file)
}
