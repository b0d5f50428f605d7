import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { describe, expect, it } from 'vitest'

import { clauseProblems, clausesNamedBy } from './clauses.ts'
import { readSpecification } from './specification.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

it('every clause of the specification is named by a test', () => {
  const paths = globSync(['packages/*/{src,test}/**/*.test.ts', 'tools/**/*.test.ts'], { cwd: root })
  const problems = clauseProblems({
    specification: readSpecification(),
    testFiles: paths.map(read),
  })
  expect(problems).toEqual([])
})

describe('the clause check', () => {
  const specification = '**P1** (server). One rule.\n\n**P2** (server, client). Another rule.\n'

  it('is content when each clause is covered', () => {
    const testFiles = ["it('P1: holds', () => {})", "test('P2: holds', () => {})"]
    expect(clauseProblems({ specification, testFiles })).toEqual([])
  })

  it('reports a clause that is not covered', () => {
    const testFiles = ["it('P1: holds', () => {})"]
    expect(clauseProblems({ specification, testFiles })).toEqual(['P2 is named by no test: write one.'])
  })

  it('reports a test that names no clause', () => {
    const testFiles = ["it('P1, P2 and P9 hold', () => {})"]
    expect(clauseProblems({ specification, testFiles })).toEqual([
      'A test names P9, which is not a clause of the specification.',
    ])
  })

  it('reports a number that appears twice, and a document without clauses', () => {
    const testFiles = ["it('P1: holds', () => {})"]
    const twice = '**P1** (server). One rule.\n\n**P1** (server). Another rule.\n'
    expect(clauseProblems({ specification: twice, testFiles })).toEqual([
      'P1 stands twice in the specification.',
    ])
    expect(clauseProblems({ specification: '', testFiles: [] })).toEqual([
      'The specification has no clauses.',
    ])
  })

  it('reports a clause that does not say whom it binds', () => {
    const testFiles = ["it('P1, P2, P3: hold', () => {})"]
    const unbound = '**P1.** One rule.\n\n**P2** (nobody). Another rule.\n\n**P3** (client). A third rule.\n'
    expect(clauseProblems({ specification: unbound, testFiles })).toEqual([
      'P1 does not say whom it binds: write **P1** (server).',
      'P2 does not say whom it binds: write **P2** (server).',
    ])
  })

  it('reports a reference to a clause that does not exist', () => {
    const testFiles = ["it('P1: holds', () => {})"]
    expect(clauseProblems({ specification: '**P1** (server). One rule (P9).\n', testFiles })).toEqual([
      'The specification refers to P9, which is not a clause of it.',
    ])
  })

  it('reads titles of nested, repeated and templated tests', () => {
    const file = "describe('P1', () => { it.each([['x']])('P2 %s', () => {}); it(`P3 ${n}`, () => {}) })"
    expect(clausesNamedBy(file)).toEqual([1, 2, 3])
  })

  it('does not count skipped or planned tests, comments or other strings', () => {
    const file =
      "it.skip('P1', () => {}); it.todo('P2'); expect('P3'); // it('P4', () => {})\ndescribe.skip.each([1])('P5', f)"
    expect(clausesNamedBy(file)).toEqual([])
  })
})
