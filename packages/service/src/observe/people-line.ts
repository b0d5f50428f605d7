import { styleText } from 'node:util'

type Look = Parameters<typeof styleText>[0]

const looks: Readonly<Record<string, Look>> = {
  trace: 'dim',
  debug: 'dim',
  info: 'green',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
}

/** What is the same in every line, or said elsewhere in it. */
const unsaid: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'kind'])

/** A line of the log as a person reads it: `09:30:12 info   service listening  address=http://127.0.0.1:8080`. */
export function peopleLine(line: string, { colour }: { readonly colour: boolean }): string {
  const paint = (look: Look, text: string): string =>
    colour ? styleText(look, text, { validateStream: false }) : text
  const { level, time, kind, ...rest }: Readonly<Record<string, unknown>> = JSON.parse(line)
  const facts = Object.entries(rest)
    .filter(([name]) => !unsaid.has(name))
    // Ids are long and rarely read.
    .toSorted(([one], [other]) => Number(one.endsWith('Id')) - Number(other.endsWith('Id')))
    .map(([name, value]) => `${paint('dim', `${name}=`)}${shown(value)}`)
  const clock = new Date(String(time)).toTimeString().slice(0, 8)
  const words = String(kind).replaceAll('-', ' ')
  const start = `${paint('dim', clock)} ${paint(looks[String(level)] ?? 'bold', String(level).padEnd(5))}`
  return `${[`${start}  ${paint('bold', words)}`, ...facts].join('  ')}\n`
}

/** Text of callers must not move the cursor of the terminal in which the log is read. */
function shown(value: unknown): string {
  if (typeof value === 'number') return String(rounded(value))
  const text = typeof value === 'string' && !/["\s]/.test(value) ? value : JSON.stringify(withoutStack(value))
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD')
}

const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(3)))

/** The JSON log has the stack, for those who mend the service. */
function withoutStack(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return value
  const { stack: _, ...rest } = value
  return rest
}
