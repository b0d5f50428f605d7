// What a load may be struck by, besides what each proof adds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../harness/service-process.ts'
import type { OctavoProcess } from '../harness/octavo-command.ts'

export const commonStrikes = ['kill the command', 'stop the command', 'kill the service'] as const
export type CommonStrike = (typeof commonStrikes)[number]

export async function strikeCommon(
  strike: CommonStrike,
  octavo: OctavoProcess,
  service: ServiceProcess,
): Promise<void> {
  switch (strike) {
    case 'kill the command':
      return octavo.kill('SIGKILL')
    case 'stop the command':
      return octavo.kill('SIGINT')
    case 'kill the service':
      await service.kill()
      await sleep(Math.random() * 300)
      return service.start()
    default:
      return strike satisfies never
  }
}
