// `octavo load`, `octavo replace` and `octavo sync` are killed at random moments, resumed, run again and side by side, with full disks,
// and while the service or PostgreSQL is killed. After each run, every object of the type, or every row of the copy, is compared with what
// this program knows to be right: what a command calls complete is, and what is not complete is never torn. It uses nothing of the
// product but the command, the service and what the packages export.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Proof } from '../harness/prove.ts'
import { chances } from './chances.ts'
import { numberOf, seedOf } from './number-of.ts'
import { definitionOf, type Contents } from './kills/contents.ts'
import { keepHistory } from './kills/history.ts'
import { loadRound } from './kills/load-round.ts'
import { replacedType, replaceRound } from './kills/replace-round.ts'
import type { Round } from './kills/round.ts'
import { withSetting } from './kills/setting.ts'
import { syncRound } from './kills/sync-round.ts'

export const checkKills = (proof: Proof): Promise<void> =>
  proof.point(
    'A load, a replacement or a copy that says it is complete is, whatever was killed, and is never torn',
    async () => {
      const rounds = numberOf(proof, 'rounds', proof.short ? 3 : 4)
      const chance = chances(seedOf(proof))
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
              proof.say(`PROBLEM: ${name}: ${text}`)
            },
          }
          proof.say(`${new Date().toISOString()} ${name}: ${await work(round)}`)
          rmSync(round.folder, { recursive: true })
        }
        await ask(
          'PUT',
          `/manage/v1/ontologies/${rid}/objectTypes/${replacedType}`,
          definitionOf(replacedType),
        )
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
      expect(problems === 0, `${problems} problems`)
      return `${rounds} rounds of each, ${saidComplete} said complete`
    },
  )
