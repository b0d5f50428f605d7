import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readSettings } from './read-settings.ts'

let homeFolder = ''
let file = ''

beforeEach(() => {
  homeFolder = mkdtempSync(join(tmpdir(), 'octavo-settings-'))
  mkdirSync(join(homeFolder, '.config/octavo'), { recursive: true })
  file = join(homeFolder, '.config/octavo/profiles.yaml')
})
afterEach(() => rmSync(homeFolder, { recursive: true }))

const writeProfiles = (text: string, mode = 0o600) => {
  writeFileSync(file, text)
  chmodSync(file, mode)
}

const two = `default: local
profiles:
  local: { url: 'http://local:1/', token: l, ontology: one }
  far: { url: https://far.example.com/octavo/, token: f }
`

const read = (flags = {}, environment = {}) => readSettings(flags, { environment, homeFolder })

it('takes the default profile, or the one that is named', () => {
  writeProfiles(two)
  expect(read()).toEqual({ url: 'http://local:1', token: 'l', ontology: 'one' })
  expect(read({ profile: 'far' })).toEqual({ url: 'https://far.example.com/octavo', token: 'f' })
  expect(read({}, { OCTAVO_PROFILE: 'far' })).toMatchObject({ token: 'f' })
})

it('a flag wins over the environment, and that over the profile', () => {
  writeProfiles(two)
  const environment = { OCTAVO_TOKEN: 'e', OCTAVO_URL: 'http://e', OCTAVO_ONTOLOGY: '' }
  expect(read({ url: 'http://flag' }, environment)).toEqual({
    url: 'http://flag',
    token: 'e',
    ontology: 'one',
  })
})

it('a missing setting is named with all three ways to set it', () => {
  expect(() => read({ url: 'http://x' })).toThrow(
    `The token is missing: give --token TOKEN, set OCTAVO_TOKEN, or add token to a profile in ${file}, as octavo login does.`,
  )
})

it('takes another folder for the file from XDG_CONFIG_HOME', () => {
  writeProfiles(two)
  expect(read({}, { XDG_CONFIG_HOME: join(homeFolder, '.config') })).toMatchObject({ token: 'l' })
  expect(() => read({}, { XDG_CONFIG_HOME: '/nowhere' })).toThrow('The url is missing')
})

it.each([0o640, 0o604, 0o644])(
  'refuses a file with a token that others may read (%i), and says the chmod',
  (mode) => {
    writeProfiles(two, mode)
    expect(() => read()).toThrow(`chmod 600 ${file}`)
  },
)

it('a file without a token may be read by all', () => {
  writeProfiles(`default: a\nprofiles: { a: { url: 'http://a' } }`, 0o644)
  expect(read({ token: 't' })).toEqual({ url: 'http://a', token: 't' })
})

it.each([
  ['profiles: [1]', 'profiles must be a mapping'],
  ['profile: {}', 'the unknown key profile; the keys are default, profiles'],
  ['profiles: { a: { urll: x } }', 'profile a has the unknown key urll; the keys are url, token, ontology'],
  ['profiles: { a: { url: 3 } }', 'url of profile a must be a string'],
  ['default: b\nprofiles: { a: {} }', 'There is no profile b'],
  ['a: [', 'is not valid YAML'],
])('refuses the file %j with a sentence', (text, sentence) => {
  writeProfiles(text)
  expect(() => read()).toThrow(sentence)
})

it.each(['localhost:8080', 'ftp://x', 'http://u:p@x', 'http://x/?a=1'])('refuses the url %s', (url) => {
  expect(() => read({ url, token: 't' })).toThrow('The url must ')
})
