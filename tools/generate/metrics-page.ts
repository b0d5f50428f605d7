import { createMetrics, mostOntologiesMeasured, mostTypesMeasured } from '@octavo/service'

/** docs/reference/metrics.md: what the service counts and measures, from the metrics themselves. */
export async function metricsPage(): Promise<string> {
  const { registry } = createMetrics()
  const metrics = await registry.getMetricsAsJSON()
  const rows = metrics
    .filter(({ name }) => name.startsWith('octavo_'))
    .map(
      ({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${labelsOf(registry, name)} | ${help} |`,
    )
  return `<!-- Made from packages/service/src/observe/metrics.ts by \`npm run generate\`. -->

# Metrics of the service

Set \`OCTAVO_METRICS_PORT\` and every process serves these at \`/metrics\` on a port of its own, in the text format of
Prometheus. They are not on the port that callers reach, and there is no password: whoever reaches the port may read them.
It listens on 127.0.0.1 unless \`OCTAVO_METRICS_HOST\` says otherwise. With \`workers\` the main process serves the sum of all of
them; \`octavo_ready\` is then 1 when all are ready, and \`process_*\` leaves the main process itself out.

No label holds a subject, a token, a filter value or a part of an object. Routes, stages, names of errors and reasons are
those of the code. What is told of object types is read from the database when somebody looks, at most every 10 seconds: of
the first ${mostOntologiesMeasured} ontologies by name, the ${mostTypesMeasured} largest types each. Every instance tells the same of the database, so take \`max by\`,
not \`sum\`. Nothing is counted for it: rows of the history are the estimate that PostgreSQL keeps, about ten seconds behind.

A dashboard and alert rules on them are in [deploy/](../../deploy/README.md). The metrics of the process itself
(\`process_*\`, \`nodejs_*\`) are those of prom-client.

| metric | type | labels | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

## Traces

Set \`OCTAVO_OTLP_URL\` to the OTLP/HTTP receiver of an OpenTelemetry collector and every request is sent there as a trace:
one span for the request, and inside it one for each stage of the page. The header \`traceparent\` of a request is taken over;
a trace that its client has not sampled is not sent. Sampling is the collector's. What it does not take within 5 seconds is dropped.

## The log

One JSON line for each observation, on standard output. \`request-served\`, \`objects-read\`, \`page-served\`, \`request-refused\` and
\`request-failed\` carry \`requestId\` (the header \`X-Request-Id\`), pages also \`walkId\`, refusals and failures also
\`errorInstanceId\` (the field of the error body). \`page-served\` and \`request-refused\` are written at the level \`debug\`.
`
}

const labelsOf = (registry: ReturnType<typeof createMetrics>['registry'], name: string): string => {
  const metric: object | undefined = registry.getSingleMetric(name)
  const labels = metric !== undefined && 'labelNames' in metric ? metric.labelNames : []
  return Array.isArray(labels) ? labels.map((label) => `\`${label}\``).join(', ') : ''
}
