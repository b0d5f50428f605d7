import { createMetrics, mostOntologiesMeasured, mostTypesMeasured } from '@octavo/service'
import { denseTable } from './dense-table.ts'

/** docs/reference/metrics.md: what the service counts and measures, from the metrics themselves. */
export async function metricsPage(): Promise<string> {
  const { registry } = createMetrics()
  const metrics = await registry.getMetricsAsJSON()
  const rows = metrics
    .filter(({ name }) => name.startsWith('octavo_'))
    .map(({ name, type, help }) => [`\`${name}\``, String(type), labelsOf(registry, name), help])
  return `<!-- Made from packages/service/src/observe/metrics.ts by \`npm run generate\`. -->

# Metrics of the service

What does the service count and measure, and how do you read it? If \`OCTAVO_METRICS_PORT\` is set, every process serves these
metrics at \`/metrics\` on that port, in the text format of Prometheus:

<!-- not run: it is here to be read -->

\`\`\`sh
OCTAVO_METRICS_PORT=9464 octavo serve    # in another shell: curl http://127.0.0.1:9464/metrics
\`\`\`

It is not the port of the API, and there is no authentication: anyone who can reach it can read the metrics. It listens on 127.0.0.1
unless \`OCTAVO_METRICS_HOST\` is set. With \`workers\`, the main process serves the sum of all of them; \`octavo_ready\` is then 1 if all
are ready, and \`process_*\` does not include the main process itself.

No label contains a subject, a token, a filter value or a part of an object. Routes, stages, error names and reasons are
those in the code. The figures on object types are read from the database when metrics are requested, at most every 10 seconds: for
the first ${mostOntologiesMeasured} ontologies by name, the ${mostTypesMeasured} largest types of each. Every instance reports the same figures on the database, so use \`max by\`,
not \`sum\`. No rows are counted for them: the rows of the history are the estimate that PostgreSQL keeps, about ten seconds behind.

[deploy/](../../deploy/README.md) has a dashboard and alert rules for them. The metrics of the process itself
(\`process_*\`, \`nodejs_*\`) come from prom-client.

${denseTable(['metric', 'type', 'labels', 'meaning'], rows)}

## Traces

If \`OCTAVO_OTLP_URL\` is set to the OTLP/HTTP receiver of an OpenTelemetry collector, every request is sent there as a trace:
one span for the request, and inside it one for each stage of the page. The header \`traceparent\` of a request is continued;
a trace that the client did not sample is not sent. Any further sampling is up to the collector. Spans that it does not accept within 5 seconds are dropped.

## The log

The log is on standard output, one JSON line for each observation. \`request-served\`, \`objects-read\`, \`page-served\`, \`request-refused\` and
\`request-failed\` carry \`requestId\` (the header \`X-Request-Id\`), pages also \`walkId\`, refusals and failures also
\`errorInstanceId\` (the field of the error body). \`page-served\` and \`request-refused\` are written at the level \`debug\`.
`
}

const labelsOf = (registry: ReturnType<typeof createMetrics>['registry'], name: string): string => {
  const metric: object | undefined = registry.getSingleMetric(name)
  const labels = metric !== undefined && 'labelNames' in metric ? metric.labelNames : []
  return Array.isArray(labels) ? labels.map((label) => `\`${label}\``).join(', ') : ''
}
