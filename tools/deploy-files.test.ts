// The files in deploy/ name metrics, options, commands and pages: these must exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, errorTable, type ErrorBody } from '@octavo/protocol'
import { createMetrics, environmentVariableOf, serveOptions } from '@octavo/service'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const filesOf = (folder: string): readonly string[] => readdirSync(join(root, folder))

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}

const { groups }: { readonly groups: readonly { readonly rules: readonly Rule[] }[] } = parse(
  read('deploy/prometheus/alerts.yaml'),
)
const rules = groups.flatMap(({ rules: some }) => some)

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(
  read('deploy/grafana/octavo-dashboard.json'),
)

/** The names under which a query may use each metric: a histogram is queried by its parts. */
const queryNames = async (): Promise<ReadonlySet<string>> => {
  const metrics = await createMetrics().registry.getMetricsAsJSON()
  const names = metrics.flatMap(({ name, type }) =>
    String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  return new Set(names)
}

const metricsIn = (expression: string): readonly string[] =>
  expression.match(/\b(?:octavo|process|nodejs)_[a-z0-9_]+\b/g) ?? []

describe('alerts', () => {
  it('name only metrics that the service has', async () => {
    const known = await queryNames()
    for (const { alert, expr } of rules) {
      const named = metricsIn(expr)
      if (alert !== 'OctavoDown') expect(named, alert).not.toEqual([])
      for (const name of named) expect(known, `${alert} names ${name}`).toContain(name)
    }
  })

  it('have a runbook each, and every runbook has an alert', () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    expect(filesOf('docs/run/runbooks').toSorted()).toEqual(names.map((name) => `${name}.md`).toSorted())
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.runbook).toBe(`docs/run/runbooks/${alert}.md`)
      expect(['page', 'ticket']).toContain(labels.severity)
      const page = read(annotations.runbook)
      for (const part of [`# ${alert}`, '**It means:**', '**Users see:**', '## Look at', '## Do']) {
        expect(page, alert).toContain(part)
      }
      for (const name of metricsIn(page)) expect(read('docs/reference/metrics.md')).toContain(metricOf(name))
    }
  })

  it('fire in the tests of promtool, every one', () => {
    const tests = read('deploy/prometheus/alerts.test.yaml')
    for (const { alert } of rules) expect(tests).toContain(`alertname="${alert}"`)
  })
})

const metricOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')

it('the dashboard shows every metric of the service, and only those that exist', async () => {
  const known = await queryNames()
  const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))))
  for (const name of shown) expect(known).toContain(name)
  const ours = new Set([...known].filter((name) => name.startsWith('octavo_')).map(metricOf))
  const missing = [...ours].filter((name) => ![...shown].some((one) => metricOf(one) === name))
  // Rare, or redundant with another metric: for alerts and for closer inspection.
  expect(missing.toSorted()).toEqual([
    'octavo_audit_write_failures_total',
    'octavo_certificates_refused_total',
    'octavo_ontologies',
  ])
})

describe('deployments', () => {
  it('where no instance is ready, the balancer answers as one would', () => {
    const [, text = ''] =
      /^\s*http-error status 503 .* hdr retry-after 1 lf-string '(.*)'$/m.exec(
        read('deploy/high-availability/haproxy-octavo.cfg'),
      ) ?? []
    const { errorDescription, ...body } = JSON.parse(text) as ErrorBody<'Overloaded'>
    expect(body).toEqual({
      errorCode: errorTable.Overloaded.code,
      errorName: 'Overloaded',
      errorInstanceId: '%[uuid()]',
      parameters: { retryAfterSeconds: 1 },
    } satisfies Omit<ErrorBody<'Overloaded'>, 'errorDescription'>)
    expect(errorDescription).toContain(describeError('Overloaded', body.parameters).split('. ').at(-1))
  })

  const files = [
    'deploy/compose.yaml',
    'deploy/citus/compose.yaml',
    'deploy/prometheus/prometheus.yaml',
    'deploy/high-availability/patroni.yml',
    ...filesOf('deploy/kubernetes').map((name) => `deploy/kubernetes/${name}`),
  ]
  const variables = new Set(Object.values(serveOptions).map(environmentVariableOf))

  it.for(files)('%s is YAML', (file) => {
    for (const document of parseAllDocuments(read(file), { merge: true })) expect(document.errors).toEqual([])
  })

  it.for([
    ...files,
    'deploy/Dockerfile',
    'deploy/systemd/octavo.service',
    'deploy/systemd/octavo.env.example',
  ])('%s names only options that exist', (file) => {
    const text = read(file)
      .split('\n')
      .filter((line) => !/^\s*#/.test(line))
      .join('\n')
    for (const [name] of text.matchAll(/\bOCTAVO_[A-Z_]+\b/g)) expect(variables).toContain(name)
  })

  it('run a program that exists, with commands that it has', () => {
    const program = 'packages/octavo/bin/octavo.js'
    expect(existsSync(join(root, program))).toBe(true)
    expect(read('deploy/Dockerfile')).toContain(`ENTRYPOINT ["node", "${program}"]`)
    const commands = [...read('deploy/systemd/octavo.service').matchAll(/octavo\.js (\w+)/g)]
    expect(commands.map(([, command]) => command)).toEqual(['migrate', 'serve'])
    for (const file of ['docs/reference/command.md']) {
      for (const command of ['migrate', 'serve']) expect(read(file)).toContain(`octavo ${command}`)
    }
  })

  it('every image can be named by a digest', () => {
    const dockerfile = read('deploy/Dockerfile')
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
      '${NODE_IMAGE}',
      '${NODE_IMAGE}',
    ])
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=/m)
    interface Compose {
      readonly services: Readonly<
        Record<string, { readonly image: string; readonly build?: { readonly args?: object } }>
      >
    }
    for (const file of ['deploy/compose.yaml', 'deploy/citus/compose.yaml']) {
      const { services }: Compose = parse(read(file), { merge: true })
      for (const [name, { image, build }] of Object.entries(services)) {
        if (build === undefined) expect(image, name).toMatch(/^\$\{[A-Z]+_IMAGE:-\S+:\S+\}$/)
        else expect(build.args, name).toEqual({ NODE_IMAGE: expect.stringMatching(/^\$\{NODE_IMAGE:-/) })
      }
    }
  })

  it('a pod may ask for names and reach what the options name, and nothing else', () => {
    interface Policy {
      readonly spec: {
        readonly policyTypes: readonly string[]
        readonly egress: readonly { readonly ports: readonly { readonly port: number }[] }[]
      }
    }
    const { spec }: Policy = parse(read('deploy/kubernetes/network-policy.yaml'))
    expect(spec.policyTypes).toEqual(['Ingress', 'Egress'])
    const ports = spec.egress.flatMap((rule) => rule.ports.map(({ port }) => port))
    // DNS, PostgreSQL, an issuer over HTTPS, an OTLP collector over HTTP.
    expect(ports).toEqual([53, 53, 5432, 443, 4318])
    const text = read('deploy/kubernetes/network-policy.yaml')
    const { databaseUrl, databaseReplicaUrls, oidcIssuer, otlpUrl } = serveOptions
    for (const { name } of [databaseUrl, databaseReplicaUrls, oidcIssuer, otlpUrl]) {
      expect(text).toContain(name)
    }
  })

  it('a pod gets no variables of Services, which would look like options of ours', () => {
    const deployment: { readonly spec: { readonly template: { readonly spec: object } } } = parse(
      read('deploy/kubernetes/deployment.yaml'),
    )
    expect(deployment.spec.template.spec).toMatchObject({
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true },
      containers: [
        {
          livenessProbe: { httpGet: { path: '/health/live' } },
          readinessProbe: { httpGet: { path: '/health/ready' } },
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
        },
      ],
    })
  })
})
