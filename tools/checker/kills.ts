// `octavo load`, `octavo replace` and `octavo sync` are killed at random moments, resumed, run again and side by side, with full disks,
// and while the service or PostgreSQL is killed. After each run, every object of the type, or every row of the copy, is compared with what
// this program knows to be right: what a command calls complete is, and what is not complete is never torn. It uses nothing of the
// product but the command, the service and what the packages export. Arguments: how many rounds of each (4), and a seed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chances } from './chances.ts'
import { definitionOf, type Contents } from './kills/contents.ts'
import { keepHistory } from './kills/history.ts'
import { loadRound } from './kills/load-round.ts'
import { replacedType, replaceRound } from './kills/replace-round.ts'
import type { Round } from './kills/round.ts'
import { withSetting } from './kills/setting.ts'
import { syncRound } from './kills/sync-round.ts'

const [rounds = 4, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
console.log(`kills: ${rounds} rounds of each with the seed ${seed}`)
const chance = chances(seed)
const folder = mkdtempSync(join(tmpdir(), 'octavo-kills-'))
let [saidComplete, problems] = [0, 0]

await withSetting(folder, async (setting) => {
  const { ask, rid } = setting
  const play = async (name: string, work: (round: Round) => Promise<string>): Promise<void> => {
    const round: Round = {
      ...setting,
      chance,
      folder: mkdtempSync(join(folder, 'round-')),
      onComplete: () => (saidComplete += 1),
      onProblem: (text) => {
        problems += 1
        console.log(`PROBLEM: ${name}: ${text}`)
      },
    }
    console.log(`${new Date().toISOString()} ${name}: ${await work(round)}`)
    rmSync(round.folder, { recursive: true })
  }
  await ask('PUT', `/manage/v1/ontologies/${rid}/objectTypes/${replacedType}`, definitionOf(replacedType))
  let contents: Contents = new Map()
  for (let number = 1; number <= rounds; number += 1) {
    await play(`load ${number}`, (round) => loadRound(round, `loaded${number}`))
    await play(`replace ${number}`, async (round) => {
      const [played, after] = await replaceRound(round, contents)
      contents = after
      return played
    })
  }
  const history = await keepHistory(setting, chance)
  const synced = { history, sqlite: join(folder, 'copy.sqlite') }
  for (let number = 1; number <= rounds; number += 1)
    await play(`sync ${number}`, (round) => syncRound(round, synced))
  await history.stop()
})

rmSync(folder, { recursive: true })
console.log(
  `kills: ${rounds} rounds of each with the seed ${seed}, ${saidComplete} said complete, ${problems} problems`,
)
process.exit(problems === 0 ? 0 : 1)
