// Prepared statements are named by their text. Each connection keeps the plan of each name it has used,
// so the number of names is bounded: past it a statement is prepared again each time instead.

const mostNames = 500

export function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>()
  return (text) => {
    let name = names.get(text)
    if (name === undefined && names.size < mostNames) {
      name = `octavo_${names.size + 1}`
      names.set(text, name)
    }
    return name
  }
}
