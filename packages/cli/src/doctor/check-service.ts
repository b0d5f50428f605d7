import { packageVersion } from '../base/package-version.ts'
import { readHealth, reasonsText, type Health } from '../connection/read-health.ts'
import { judgeClock } from './check-clock.ts'
import { messageOf, ok, problem, warning, type Check, type Finding } from './finding.ts'

export const checkService: Check = async ({ url, context }) => {
  if (url === undefined)
    return [warning('service', 'no url is given, so no service is checked', 'octavo login')]
  try {
    const health = await readHealth(url, context)
    return [judgeHealth(url, health), ...judgeVersion(health), ...(await readClock(url, context))]
  } catch (error) {
    const message = messageOf(error)
    const right = /use (https?:\S+) instead/.exec(message)?.[1]
    return [problem('service', message, right === undefined ? 'octavo serve' : `octavo login --url ${right}`)]
  }
}

function judgeHealth(url: string, health: Health): Finding {
  if (health.status === 'ready')
    return ok('service', `${url} is ready, answered in ${health.milliseconds} ms`)
  const reasons = reasonsText(health)
  const mend = reasons.includes('run migrate') ? 'octavo migrate' : 'octavo serve'
  return problem('service', `${url} is not ready: ${reasons}`, mend)
}

function judgeVersion({ serviceVersion: version }: Health): readonly Finding[] {
  if (version === undefined) return []
  const ours = packageVersion()
  if (version === ours) return [ok('version', `the service and this command are ${ours}`)]
  const text = `the service is ${version}, this command is ${ours}`
  return [warning('version', text, `npm install --global @octavo/cli@${version}`)]
}

async function readClock(url: string, context: Parameters<Check>[0]['context']): Promise<readonly Finding[]> {
  const before = context.now()
  const response = await context.fetch(`${url}/health/live`, { signal: context.stopAsked, redirect: 'error' })
  await response.body?.cancel()
  const date = new Date(response.headers.get('date') ?? '')
  // The header has whole seconds, rounded down.
  const after = context.now()
  return Number.isNaN(date.getTime())
    ? []
    : [judgeClock('the service', date, [new Date(before.getTime() - 1_000), after])]
}
