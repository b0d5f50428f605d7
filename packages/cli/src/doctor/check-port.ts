import { readHealth } from '../connection/read-health.ts'
import { checkPortIsFree } from '../local/check-port-is-free.ts'
import { ok, problem, type Check } from './finding.ts'

/** Whether `octavo serve` could listen here, or a service of ours does already. */
export const checkPort: Check = async ({ options, context }) => {
  if (options === undefined || options.port === 0) return []
  const { host, port } = options
  try {
    await checkPortIsFree(host, port)
    return [ok('port', `port ${port} of ${host} is free`)]
  } catch {
    const here = host === '0.0.0.0' ? '127.0.0.1' : host
    const health = await readHealth(`http://${here}:${port}`, context).catch(() => undefined)
    return health?.status === 'ready'
      ? [ok('port', `a service listens on port ${port}`)]
      : [
          problem(
            'port',
            `port ${port} of ${host} cannot be used or is in use`,
            `octavo serve --port ${port + 1}`,
          ),
        ]
  }
}
