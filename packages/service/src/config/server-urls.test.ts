import { expect, it } from 'vitest'
import { postgresUrl } from './option-type.ts'
import { serverUrls } from './server-urls.ts'

it('a URL of one server stays as it is', () => {
  for (const url of ['postgres://a:b,c@host:5432/name?sslmode=require', 'postgresql:///name?host=/run/x,y']) {
    expect(serverUrls(url)).toEqual([url])
  }
})

it('each of several servers gets the user, the password, the database and the parameters', () => {
  expect(serverUrls('postgres://a:b,c@one:5432,two,[::1]:5433/name?x=1,2')).toEqual([
    'postgres://a:b,c@one:5432/name?x=1,2',
    'postgres://a:b,c@two/name?x=1,2',
    'postgres://a:b,c@[::1]:5433/name?x=1,2',
  ])
})

it('an option that names several servers is taken if each of them is one', () => {
  expect(postgresUrl.parse('postgres://a@one:1,two:2/name')).toBe('postgres://a@one:1,two:2/name')
  expect(postgresUrl.parse('postgres://a@one:1,two:x/name')).toBeUndefined()
  expect(postgresUrl.parse('http://one,two')).toBeUndefined()
})
