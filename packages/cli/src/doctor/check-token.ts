import { expiryIn, readRights, rightsText } from '../access/token-rights.ts'
import { openConnection } from '../connection/connection.ts'
import { visibleOntologies } from '../connection/find-ontology.ts'
import { readHealth } from '../connection/read-health.ts'
import { messageOf, ok, problem, warning, type Check, type Finding } from './finding.ts'

const soonMs = 7 * 86_400_000

export const checkToken: Check = async ({ url, token, context }) => {
  if (url === undefined) return []
  if (token === undefined) return [warning('token', 'no token is given, so none is checked', 'octavo login')]
  // Without a service there is nothing to ask; the check of the service says so.
  const health = await readHealth(url, context).catch(() => undefined)
  if (health?.status !== 'ready') return []
  const connection = openConnection({ url, token }, context)
  try {
    const rights = await readRights(connection)
    const sees = rights.includes('read') ? (await visibleOntologies(connection)).length : 0
    const seen = sees === 0 ? '' : `, and sees ${sees} ${sees === 1 ? 'ontology' : 'ontologies'}`
    const found =
      rights.length === 0
        ? problem('token', 'the token has no scope, so it may do nothing', 'octavo login')
        : ok('token', `it may ${rightsText(rights)}${seen}`)
    return [found, ...judgeExpiry(token, context.now())]
  } catch (error) {
    return [problem('token', messageOf(error), 'octavo login')]
  }
}

function judgeExpiry(token: string, now: Date): readonly Finding[] {
  const expires = expiryIn(token)
  if (expires === undefined) return []
  const text = `it expires at ${expires.toISOString()}`
  return expires.getTime() - now.getTime() > soonMs
    ? [ok('token', text)]
    : [warning('token', text, 'octavo login')]
}
