// `@osdk/oauth` as it is published, against a real provider behind the service.
import { createConfidentialOauthClient, createPublicOauthClient } from '@osdk/oauth'
import { decodeJwt } from 'jose'
import { forAllTests } from '@octavo/dev-database/vitest'
import { afterEach, expect, it } from 'vitest'
import { openWindow, type BrowserWindow } from '../../../test/support/browser-window.ts'
import { appId, appUri, machineId, machineSecret, serveSignIn } from '../../../test/support/serve-sign-in.ts'
import { signInByForm } from '../../../test/support/sign-in-by-form.ts'

const service = forAllTests(serveSignIn)
let tab: BrowserWindow | undefined
afterEach(() => tab?.close())

const ontologiesFor = async (token: string | undefined) => {
  const answer = await fetch(`${service.url}/api/v2/ontologies`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return [answer.status, await answer.json()]
}

const oneOntology = () => [200, { data: [expect.objectContaining({ rid: service.ontology.rid })] }]

it('P385, P388: a program with createConfidentialOauthClient gets a token that works', async () => {
  const client = createConfidentialOauthClient(machineId, machineSecret, service.url)
  const { access_token: token, expires_in: seconds } = await client.signIn()
  expect(seconds).toBeGreaterThan(0)
  expect(decodeJwt(token)).toMatchObject({ sub: machineId, scope: 'api:ontologies-read' })
  expect(await ontologiesFor(await client())).toEqual(oneOntology())
})

it('P388: a wrong secret is the error of the provider', async () => {
  const client = createConfidentialOauthClient(machineId, 'wrong', service.url)
  await expect(client.signIn()).rejects.toThrow(/invalid_client/)
})

it('P385, P387, P388: a person signs in with createPublicOauthClient, and the token works', async () => {
  tab = openWindow('http://localhost:5173/flights?late=1')
  const load = () => createPublicOauthClient(appId, service.url, appUri)
  await expect(load().signIn()).rejects.toThrow('Unable to redirect')
  const back = await signInByForm(tab.visited[0] ?? '', {
    login: 'mira',
    until: (address) => address.startsWith(appUri),
  })
  expect([...new URL(back).searchParams.keys()].toSorted()).toEqual(['code', 'state'])
  tab.load(back)
  const client = load()
  const token = await client.signIn()
  expect(token.expires_in).toBeGreaterThan(0)
  expect(token.refresh_token).toEqual(expect.any(String))
  expect(decodeJwt(token.access_token)).toMatchObject({ sub: 'mira' })
  expect(await ontologiesFor(await client())).toEqual(oneOntology())
})
