// One round: exports are begun, and what can happen to them happens.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../chances.ts'
import { harm, leftOf } from './harm.ts'
import { things, type History } from './history.ts'
import { judge, saysWhole, wordsOf, type WantedExport } from './judge.ts'
import type { Format } from './read-exported.ts'
import type { Ended, Running } from '../start-octavo-command.ts'
import type { Exported } from './start-exported.ts'

export interface RoundTools extends Pick<Exported, 'runCommand' | 'slowDown'> {
  readonly history: History
  readonly chance: Chance
  /** Empty. */
  readonly folder: string
  readonly onWhole: () => void
  readonly onProblem: (text: string) => void
}

/** Says what was done. */
export async function playRound(tools: RoundTools): Promise<string> {
  const { chance, slowDown } = tools
  slowDown(chance.one([0, 40, 100, 200]))
  const kind = chance.one([
    'killed',
    'killed',
    'harmed',
    'harmed',
    'side by side',
    'neighbours',
    'full',
    'theirs',
  ] as const)
  switch (kind) {
    case 'killed':
      return `${kind}: ${await killed(tools)}`
    case 'harmed':
      return `${kind}: ${await harmed(tools)}`
    case 'side by side':
      return `${kind}: ${await sideBySide(tools)}`
    case 'neighbours':
      return `${kind}: ${await neighbours(tools)}`
    case 'full':
      return `${kind}: ${await onFullDisk(tools)}`
    case 'theirs':
      return `${kind}: ${await besideTheirs(tools)}`
    default:
      return kind satisfies never
  }
}

function anyExport(
  { chance }: RoundTools,
  formats: readonly Format[] = ['ndjson', 'ndjson', 'csv', 'parquet'],
): WantedExport {
  const format = chance.one(formats)
  const parts = chance.one([1, 1, 3])
  const isApart = parts > 1 && (format === 'parquet' || chance.below(3) === 0)
  return {
    out: isApart ? `x-{partition}.${format}` : `x.${format}`,
    format,
    parts,
    below: chance.below(4) === 0 ? chance.below(things) : undefined,
  }
}

/** How long a run may take on a machine that has other work. */
const patienceMs = 120_000

async function endOf(tools: RoundTools, { child, ended }: Running): Promise<Ended> {
  const timer = setTimeout(() => {
    tools.onProblem(`a run did not end: ${child.spawnargs.slice(2).join(' ')}`)
    child.kill('SIGKILL')
  }, patienceMs)
  const end = await ended
  clearTimeout(timer)
  if (/cannot say why|\n\s+at /.test(end.err)) tools.onProblem(`a run ended with ${end.err}`)
  return end
}

/** Runs to the end, and judges what it says. */
async function run(tools: RoundTools, wanted: WantedExport, ...flags: readonly string[]): Promise<Ended> {
  const end = await endOf(tools, tools.runCommand(tools.folder, wordsOf(wanted, ...flags)))
  await judged(tools, wanted, end)
  return end
}

async function judged(tools: RoundTools, wanted: WantedExport, end: Ended): Promise<void> {
  if (!saysWhole(end)) return
  tools.onWhole()
  const wrong = await judge(tools.folder, wanted, end, tools.history)
  if (wrong !== undefined) tools.onProblem(wrong)
}

/** Runs until it is killed at some moment, in milliseconds; it may have ended before. */
async function runAndKill(
  tools: RoundTools,
  wanted: WantedExport,
  { flags = [], from = 0 }: { readonly flags?: readonly string[]; readonly from?: number } = {},
): Promise<Ended> {
  const running = tools.runCommand(tools.folder, wordsOf(wanted, ...flags))
  const moment = from + tools.chance.below(4_500 - from)
  await Promise.race([sleep(moment), running.ended])
  running.child.kill('SIGKILL')
  const end = await endOf(tools, running)
  await judged(tools, wanted, end)
  return end
}

/** It must be possible to bring it to its end with what its own sentences say. */
async function finish(tools: RoundTools, wanted: WantedExport, ...flags: readonly string[]): Promise<string> {
  tools.slowDown(0)
  const done: string[] = []
  for (const flag of [...flags, '--restart']) {
    const end = await run(tools, wanted, ...(flag === '' ? [] : [flag]))
    done.push(`${flag || 'start'} ${end.code}`)
    if (!saysWhole(end)) continue
    const left = leftOf(tools.folder)
    if (left.length > 0) tools.onProblem(`${left.join(', ')} is left of an export that is whole`)
    return done.join(', ')
  }
  // A file whose state is gone is in the way, and said to be.
  for (const name of leftOf(tools.folder)) rmSync(join(tools.folder, name), { recursive: true })
  const end = await run(tools, wanted)
  if (!saysWhole(end)) tools.onProblem(`an export that nothing hinders ended with ${end.code}: ${end.err}`)
  return `${done.join(', ')}, by hand ${end.code}`
}

const resuming = ({ format }: WantedExport): string => (format === 'parquet' ? '' : '--resume')

async function killed(tools: RoundTools): Promise<string> {
  const wanted = anyExport(tools)
  const kills = 1 + tools.chance.below(3)
  let flag = ''
  for (let i = 0; i < kills; i += 1) {
    if (saysWhole(await runAndKill(tools, wanted, { flags: flag === '' ? [] : [flag] }))) break
    if (tools.chance.below(2) > 0) await tools.history.change()
    flag = tools.chance.below(4) === 0 ? '--restart' : resuming(wanted)
  }
  return `${describe(wanted)}, ${kills} kills, ${await finish(tools, wanted, flag)}`
}

async function harmed(tools: RoundTools): Promise<string> {
  const wanted = anyExport(tools, ['ndjson', 'csv'])
  // So late that something is kept of it.
  tools.slowDown(250)
  await runAndKill(tools, wanted, { from: 2_000 })
  if (tools.chance.below(2) > 0) await tools.history.change()
  const what = harm(tools.folder, tools.chance)
  return `${describe(wanted)}, ${what}, ${await finish(tools, wanted, '--resume')}`
}

/** Two exports to one name: the file must be that of the last one that reported success. */
async function sideBySide(tools: RoundTools): Promise<string> {
  const first = anyExport(tools)
  const second = { ...first, below: tools.chance.below(things) }
  const flagsOf = () =>
    tools.chance.one([[], [], ['--restart'], first.format === 'parquet' ? [] : ['--resume']])
  if (tools.chance.below(2) > 0) await runAndKill(tools, first)
  const ends: (readonly [WantedExport, Ended])[] = []
  const start = async (wanted: WantedExport): Promise<void> => {
    const end = await endOf(tools, tools.runCommand(tools.folder, wordsOf(wanted, ...flagsOf())))
    ends.push([wanted, end])
  }
  const gap = tools.chance.one([0, 50, 300, 1_000])
  await Promise.all([start(first), sleep(gap).then(() => start(second))])
  const whole = ends.filter(([, end]) => saysWhole(end))
  const last = whole.at(-1)
  for (const _ of whole.slice(0, -1)) tools.onWhole()
  if (last !== undefined) await judged(tools, ...last)
  const codes = ends.map(([, { code }]) => code).join(' and ')
  return `${describe(first)}, ${gap} ms, ${codes}, ${await finish(tools, first, resuming(first))}`
}

/** Names that have something in common, at the same time. */
async function neighbours(tools: RoundTools): Promise<string> {
  for (const name of ['a', 'b']) mkdirSync(join(tools.folder, name))
  const of = (out: string, format: Format, parts = 1): WantedExport => ({
    out,
    format,
    parts,
    below: undefined,
  })
  const some = tools.chance.one([
    [of('a/x.ndjson', 'ndjson'), { ...of('b/x.ndjson', 'ndjson'), below: 9_000 }],
    [of('x.ndjson', 'ndjson'), of('x.csv', 'csv'), of('x.parquet', 'parquet')],
    [of('x-{partition}.ndjson', 'ndjson', 3), { ...of('x-1.ndjson', 'ndjson'), below: 9_000 }],
    [of('{partition}.ndjson', 'ndjson', 2), of('2.ndjson', 'ndjson', 2)],
  ])
  const ends: (readonly [WantedExport, Ended])[] = []
  const isKilled = tools.chance.below(2) > 0
  const start = async (wanted: WantedExport): Promise<void> => {
    if (isKilled) await runAndKill(tools, wanted)
    if (isKilled && tools.chance.below(2) > 0) await tools.history.change()
    const flags = isKilled && wanted.format !== 'parquet' ? ['--resume'] : []
    ends.push([wanted, await endOf(tools, tools.runCommand(tools.folder, wordsOf(wanted, ...flags)))])
  }
  if (isKilled) for (const wanted of some) await start(wanted)
  else await Promise.all(some.map(start))
  for (const [i, [wanted, end]] of ends.entries()) {
    // One that ended later may have had one of its names.
    const isReplaced = ends.slice(i + 1).some(([later, { code }]) => code === 0 && sharesName(wanted, later))
    if (isReplaced && saysWhole(end)) tools.onWhole()
    else await judged(tools, wanted, end)
  }
  return `${some.map(({ out }) => out).join(' ')}${isKilled ? ', killed and resumed' : ''}, ${ends.map(([, { code }]) => code).join(' and ')}`
}

function sharesName(one: WantedExport, other: WantedExport): boolean {
  const names = ({ out, parts }: WantedExport) =>
    Array.from({ length: parts }, (_, i) => out.replaceAll('{partition}', String(i + 1)))
  return names(one).some((name) => names(other).includes(name))
}

async function onFullDisk(tools: RoundTools): Promise<string> {
  const disk = mkdtempSync(join(tools.folder, 'disk-'))
  const megabytes = 1 + tools.chance.below(6)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    rmSync(disk, { recursive: true })
    return 'skipped: a small disk needs root and a system that mounts one'
  }
  const there = { ...tools, folder: disk }
  try {
    const wanted = anyExport(tools)
    const first = await run(there, wanted)
    const again = saysWhole(first)
      ? first
      : await run(there, wanted, ...(wanted.format === 'parquet' ? [] : ['--resume']))
    execFileSync('mount', ['-o', 'remount,size=200m', disk], { stdio: 'pipe' })
    if (tools.chance.below(2) > 0) await tools.history.change()
    return `${describe(wanted)}, ${megabytes} MB, ${first.code} and ${again.code}, ${await finish(there, wanted, resuming(wanted))}`
  } finally {
    execFileSync('umount', ['--lazy', disk])
    rmSync(disk, { recursive: true })
  }
}

/** Files and links of somebody else where an export would write. */
async function besideTheirs(tools: RoundTools): Promise<string> {
  const wanted = anyExport(tools)
  const pathOf = (name: string): string => join(tools.folder, name)
  const names = wanted.out.includes('{partition}')
    ? [1, 2, 3].map((part) => wanted.out.replaceAll('{partition}', String(part)))
    : [wanted.out]
  const inTheWay = tools.chance.one([`${names.at(-1)}.part`, `${wanted.out}.octavo-export.lock`, ...names])
  writeFileSync(pathOf('theirs'), 'precious')
  const isLink = tools.chance.below(2) > 0 || names.includes(inTheWay)
  if (isLink) symlinkSync(pathOf('theirs'), pathOf(inTheWay))
  else writeFileSync(pathOf(inTheWay), 'precious')
  const codes: (number | null)[] = []
  for (const flag of ['', '--restart', resuming(wanted)]) {
    codes.push((await run(tools, wanted, ...(flag === '' ? [] : [flag]))).code)
  }
  if (readFileSync(pathOf('theirs'), 'utf8') !== 'precious') tools.onProblem('a link was written through')
  const isTheirs = names.includes(inTheWay) || readFileSync(pathOf(inTheWay), 'utf8') === 'precious'
  if (!isTheirs) tools.onProblem(`${inTheWay} was written over`)
  const others = readdirSync(tools.folder).filter(
    (name) => /[.]part\d*$|octavo-export/.test(name) && name !== inTheWay,
  )
  if (others.length > 0) tools.onProblem(`${others.join(', ')} is left of an export that was refused`)
  return `${describe(wanted)}, ${isLink ? 'link' : 'file'} ${inTheWay}, ${codes.join(' and ')}`
}

const describe = ({ out, parts, below }: WantedExport): string =>
  `${out}${parts > 1 ? ` in ${parts} parts` : ''}${below === undefined ? '' : ' filtered'}`
