// Which clauses of the specification exist, which ones tests name, and where the two disagree.

import ts from 'typescript'

/** The numbers of all clauses, in the order of the text, including repeated ones. */
export function clausesOf(specification: string): readonly number[] {
  return [...specification.matchAll(/^\*\*P(\d+)/gm)].map((match) => Number(match[1]))
}

/** The numbers of the clauses that do not say whom they bind. */
export function unboundClauses(specification: string): readonly number[] {
  const bound = /^\*\*P\d+\*\* \((?:server|client|operator|server, client|server, operator)\)\. /
  return specification
    .split('\n')
    .filter((line) => line.startsWith('**P') && !bound.test(line))
    .flatMap(clausesOf)
}

/** The clauses that the titles of a test file name. Skipped and planned tests prove nothing, so they do not count. */
export function clausesNamedBy(testFile: string): readonly number[] {
  const named: number[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const title = node.arguments[0]
      if (title !== undefined && isTest(node.expression) && isTitle(title)) {
        named.push(...[...title.getText().matchAll(/\bP(\d+)\b/g)].map((match) => Number(match[1])))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('x.test.ts', testFile, ts.ScriptTarget.ESNext, true))
  return named
}

function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return ['it', 'test', 'describe'].includes(callee.text)
  if (ts.isPropertyAccessExpression(callee)) {
    return !['skip', 'todo'].includes(callee.name.text) && isTest(callee.expression)
  }
  // The title of a repeated test is in a second call: each(rows)(title, ...).
  return (ts.isCallExpression(callee) || ts.isTaggedTemplateExpression(callee)) && isTest(calledIn(callee))
}

function calledIn(call: ts.CallExpression | ts.TaggedTemplateExpression): ts.Expression {
  return ts.isCallExpression(call) ? call.expression : call.tag
}

function isTitle(argument: ts.Expression): boolean {
  return ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument)
}

export interface ClauseSources {
  readonly specification: string
  readonly testFiles: readonly string[]
}

/** One sentence for each disagreement; empty if there is none. */
export function clauseProblems({ specification, testFiles }: ClauseSources): readonly string[] {
  const clauses = clausesOf(specification)
  const existing = new Set(clauses)
  const covered = new Set(testFiles.flatMap(clausesNamedBy))
  const repeated = clauses.filter((clause, index) => clauses.indexOf(clause) !== index)
  return [
    ...(clauses.length === 0 ? ['The specification has no clauses.'] : []),
    ...repeated.map((clause) => `P${clause} stands twice in the specification.`),
    ...[...new Set(specification.match(/\bP\d+\b/g))]
      .filter((name) => !existing.has(Number(name.slice(1))))
      .map((name) => `The specification refers to ${name}, which is not a clause of it.`),
    ...unboundClauses(specification).map(
      (clause) => `P${clause} does not say whom it binds: write **P${clause}** (server).`,
    ),
    ...clauses
      .filter((clause) => !covered.has(clause))
      .map((clause) => `P${clause} is named by no test: write one.`),
    ...[...covered]
      .filter((clause) => !existing.has(clause))
      .map((clause) => `A test names P${clause}, which is not a clause of the specification.`),
  ]
}
