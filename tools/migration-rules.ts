// What a migration may contain, so that instances of the last release keep serving while it runs and after it
// (docs/run/operating.md). An allow-list: anything that was not considered is refused.

interface Statement {
  /** In lower case, without comments, with every string and function body left out. */
  readonly text: string
  /** Tables created by the same migration, which no old code knows. */
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
  // Only on new tables: on others these would constrain old code, or old code would read what they write.
  onNewTable(`^create unique index ${name} on (${name})`),
  onNewTable(`^create trigger .* on (${name})`),
  onNewTable(`^insert into (${name})`),
  onNewTable(`^alter table (?:only )?(${name}) add constraint `),
]

function onNewTable(pattern: string): Rule {
  return ({ text, newTables }) => newTables.has(new RegExp(pattern).exec(text)?.[1] ?? '')
}

/** Old code omits the column in its inserts, which must still work. */
function addsColumns(text: string): boolean {
  const [, actions] = new RegExp(`^alter table (?:only )?${name} (add column .*)$`).exec(text) ?? []
  if (actions === undefined) return false
  return actions.split(/, ?(?=(?:add|alter|drop|rename|set) )/).every((action) => {
    if (!action.startsWith('add column ')) return false
    if (/ (unique|primary key|references|check)\b/.test(action)) return false
    return !action.includes(' not null') || / default /.test(action)
  })
}

/** The statements that would break the last release; empty for a good migration. */
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
