// docs/load/declaring-types.md shows a definition file and the messages for mistakes in it.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { problemText } from './definition-problem.ts'
import { readDefinitionFile } from './read-definition-file.ts'

const guide = readFileSync(new URL('../../../../docs/load/declaring-types.md', import.meta.url), 'utf8')
const [, file = ''] = /```yaml\n([^]*?)```/.exec(guide) ?? []

const problemsOf = (text: string): readonly string[] => {
  const read = readDefinitionFile('library.yaml', text)
  return read.kind === 'refused' ? read.problems.map(problemText) : []
}

it('the file of the guide is accepted', () => {
  expect(file).toContain('objectTypes')
  expect(problemsOf(file)).toEqual([])
})

it('the messages of the guide are those that are printed', () => {
  const shown = guide.split('\n').filter((line) => line.startsWith('library.yaml:'))
  const mistaken = file
    .replace('department: { type: string', 'department: { type: text')
    .replace('displayName: Employee', 'displayname: Employee')
  expect(problemsOf(mistaken)).toEqual(shown)
})
