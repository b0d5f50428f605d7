import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFiles } from '../../tools/run-vitest.ts'
import { leftOut } from './suites.ts'

it('every file of which tests are left out on a cluster is there', () => {
  const service = join(import.meta.dirname, '../../packages/service')
  expect(leftOut.map(({ file }) => file).filter((file) => !existsSync(join(service, file)))).toEqual([])
})

it('files that are left out are not run', () => {
  const [folder, file] = ['packages/service/src/catalog/', 'packages/service/src/catalog/epochs.pg.test.ts']
  expect(testFiles([folder], [])).toContain(file)
  expect(testFiles([folder], [file])).toEqual(testFiles([folder], []).filter((each) => each !== file))
})
