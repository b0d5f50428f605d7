// What a migration may say, so that instances of the last release go on serving while it runs and after it
// (docs/guides/upgrading.md). A list of what is allowed: what nobody has thought about is refused.

interface Statement {
  /** In small letters, without comments, with every text and function body left out. */
  readonly text: string
  /** Tables that the same migration has made, which no old code knows. */
  readonly newTables: ReadonlySet<string>
}

type Rule = (statement: Statement) => boolean

const name = String.raw`[a-z0-9_."]+`

const rules: readonly Rule[] = [
  ({ text }) => new RegExp(`^create table (if not exists )?${name} ?\\(`).test(text),
  ({ text }) => /^create (function|procedure|view|schema|sequence|type|domain) /.test(text),
  ({ text }) => new RegExp(`^create index ${name} on `).test(text),
  ({ text }) => text.startsWith('comment on '),
  ({ text }) => addsColumns(text),
  // Old code would be bound by these, or would read what they write.
  onNewTable(`^create unique index ${name} on (${name})`),
  onNewTable(`^create trigger .* on (${name})`),
  onNewTable(`^insert into (${name})`),
  onNewTable(`^alter table (?:only )?(${name}) add constraint `),
]

function onNewTable(pattern: string): Rule {
  return ({ text, newTables }) => newTables.has(new RegExp(pattern).exec(text)?.[1] ?? '')
}

/** Old code leaves the column out of what it inserts, and must still be able to. */
function addsColumns(text: string): boolean {
  const [, actions] = new RegExp(`^alter table (?:only )?${name} (add column .*)$`).exec(text) ?? []
  if (actions === undefined) return false
  return actions.split(/, ?(?=(?:add|alter|drop|rename|set) )/).every((action) => {
    if (!action.startsWith('add column ')) return false
    if (/ (unique|primary key|references|check)\b/.test(action)) return false
    return !action.includes(' not null') || / default /.test(action)
  })
}

/** The statements that would break the last release; none in a good migration. */
export function breakingStatements(sql: string): readonly string[] {
  const newTables = new Set<string>()
  const breaking: string[] = []
  for (const text of statementsOf(sql)) {
    if (!rules.some((allows) => allows({ text, newTables }))) breaking.push(text)
    const [, table] = new RegExp(`^create table (?:if not exists )?(${name})`).exec(text) ?? []
    if (table !== undefined) newTables.add(table)
  }
  return breaking
}

function statementsOf(sql: string): readonly string[] {
  return sql
    .replaceAll(/(\$[a-z_]*\$)[\s\S]*?\1/gi, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}
