import { readFileSync } from 'node:fs'

import { errorNames } from '@octavo/protocol'
import { expect, it } from 'vitest'

import { errorsPage } from './errors-page.ts'

it('the reference page of errors is in sync with the table', () => {
  const committed = readFileSync(new URL('../../docs/reference/errors.md', import.meta.url), 'utf8')
  expect(committed).toBe(errorsPage())
})

it('the page has a section for every error', () => {
  const sections = errorsPage().match(/^## .+$/gm)
  expect(sections?.toSorted()).toEqual(errorNames.map((name) => `## ${name}`).toSorted())
})
