import { expect, it } from 'vitest'
import { allCases } from '../cases/all-cases.ts'
import { clauseEntries, unseenClauses } from './clauses.ts'
import { clauseCoverage, sectionsOfClauses, triedClauses } from '../../test/support/clause-coverage.ts'

it('every clause of the sections on paging has a case, or a reason why it cannot be observed from outside', () => {
  const { ofPaging, untried } = clauseCoverage()
  expect(ofPaging.length).toBeGreaterThan(70)
  expect(untried).toEqual([])
})

it('no clause has both a case and a reason to have none', () => {
  expect(Object.keys(unseenClauses).filter((clause) => triedClauses.has(clause))).toEqual([])
})

it('every clause that a case or a reason names is in the table, under its section of the specification', () => {
  expect(
    [...triedClauses, ...Object.keys(unseenClauses)].filter((clause) => !clauseEntries.has(clause)),
  ).toEqual([])
  const sections = sectionsOfClauses()
  const wrong = [...clauseEntries].filter(([clause, entry]) => sections.get(clause) !== entry.section)
  expect(wrong).toEqual([])
})

it('no two cases of one revision have the same clause and title', () => {
  const names = allCases.map(({ clause, title, revision }) => `${revision ?? ''} ${clause} ${title}`)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})
