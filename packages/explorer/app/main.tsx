import { render } from 'preact'
import { App } from './frame/app.tsx'
import { returnFromSignIn } from './sign-in/oidc.ts'
import { signIn, signOut } from './sign-in/session.ts'
import { readAddress } from './url/location.ts'

const root = document.querySelector('#app')
const returned = await returnFromSignIn().catch(() => ({
  problem: 'The identity provider could not be reached to finish the sign-in.',
}))
readAddress()
if (returned !== undefined && 'token' in returned) signIn(returned.token)
if (returned !== undefined && 'problem' in returned) signOut(returned.problem)
if (root !== null) render(<App />, root)
