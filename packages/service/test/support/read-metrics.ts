// A strict parser of the Prometheus text format, for tests that scrape the service.

interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ScrapedMetrics {
  readonly samples: readonly Sample[]
  /** By metric name: counter, gauge or histogram. */
  readonly types: ReadonlyMap<string, string>
  /** The sum of the samples of this name with these labels. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number
}

const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y

export async function scrape(address: string): Promise<ScrapedMetrics> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  return readMetrics(await response.text())
}

export function readMetrics(text: string): ScrapedMetrics {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended')
  const types = new Map<string, string>()
  const described = new Set<string>()
  const samples: Sample[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const [, help] = /^# HELP (\S+) \S/.exec(line) ?? []
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? []
    if (help !== undefined) described.add(help)
    else if (typed !== undefined && type !== undefined) types.set(typed, type)
    else if (line !== '') samples.push(readSample(line, types, described))
  }
  return {
    samples,
    types,
    value: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name && has(sample.labels, labels))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

const has = (labels: Sample['labels'], wanted: Sample['labels']): boolean =>
  Object.entries(wanted).every(([name, value]) => labels[name] === value)

function readSample(
  line: string,
  types: ReadonlyMap<string, string>,
  described: ReadonlySet<string>,
): Sample {
  const [, name = '', inBraces = '', number = ''] = sampleLine.exec(line) ?? []
  const metric = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '')
  const value = Number(number.replace('+Inf', 'Infinity'))
  if (!types.has(metric) || !described.has(metric) || (Number.isNaN(value) && !/^nan$/i.test(number))) {
    throw new Error(`not a sample of a described metric: ${line}`)
  }
  return { name, labels: readLabels(inBraces), value }
}

function readLabels(text: string): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < text.length) {
    const [, name, value] = label.exec(text) ?? []
    if (name === undefined || value === undefined) throw new Error(`not labels: ${text}`)
    labels[name] = value
  }
  return labels
}
