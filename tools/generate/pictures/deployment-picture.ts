// What runs in a production deployment.
import { arrow, box, dashed, label, picture } from './svg.ts'

const instances = [0, 1, 2]

export function deploymentPicture(): string {
  const instanceY = (i: number): number => 64 + i * 76
  return picture(
    { width: 740, height: 320 },
    'Clients reach several instances of the service through a load balancer. The instances share one PostgreSQL with a standby and optional replicas. Metrics are scraped, tokens may come from an identity provider.',
    [
      label({ x: 16, y: 28 }, 'A deployment: instances share nothing but the database', { size: 'title' }),
      box({ x: 16, y: 130, width: 110, height: 72 }, ['Clients', 'curl, client,', 'octavo']),
      arrow({ x: 126, y: 166 }, { x: 166, y: 166 }),
      box({ x: 168, y: 130, width: 110, height: 72 }, ['Load balancer', 'any instance,', 'any page']),
      ...instances.flatMap((i) => [
        arrow({ x: 278, y: 166 }, { x: 336, y: instanceY(i) + 28 }),
        box({ x: 338, y: instanceY(i), width: 120, height: 56 }, ['octavo serve', 'stateless'], 'strong'),
        arrow({ x: 458, y: instanceY(i) + 28 }, { x: 536, y: 128 }),
      ]),
      box({ x: 538, y: 92, width: 186, height: 72 }, ['PostgreSQL', 'objects, history, tokens'], 'good'),
      arrow({ x: 631, y: 164 }, { x: 631, y: 204 }),
      box({ x: 538, y: 206, width: 186, height: 60 }, ['Standby, replicas', 'snapshot pages, if you wish']),
      dashed({ x: 458, y: 244 }, { x: 536, y: 240 }),
      label({ x: 168, y: 304 }, 'Prometheus scrapes /metrics; tokens are ours or from an OIDC provider', {
        size: 'small',
      }),
    ],
  )
}
