import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { leftOut } from './suites.ts'

it('every file of which tests are left out on a cluster is there', () => {
  const service = join(import.meta.dirname, '../../packages/service')
  expect(leftOut.map(({ file }) => file).filter((file) => !existsSync(join(service, file)))).toEqual([])
})
