import { useEffect, useState } from 'preact/hooks'
import { identityProvider, leaveToSignIn } from './oidc.ts'
import { signIn, signInNotice } from './session.ts'

export function SignInView() {
  const [provider, setProvider] = useState<Awaited<ReturnType<typeof identityProvider>>>()
  const [problem, setProblem] = useState<string>()
  const [given, setGiven] = useState('')
  useEffect(() => {
    identityProvider().then(setProvider, () => setProblem('The service could not be reached. Is it running?'))
  }, [])
  const submit = (event: Event): void => {
    event.preventDefault()
    const token = given.trim().replace(/^bearer\s+/i, '')
    if (/^[\x21-\x7e]+$/.test(token)) signIn(token)
    else
      setProblem(
        token === '' ? 'Paste a token first.' : 'A token has no spaces. Copy it exactly as it was printed.',
      )
  }
  const leave = async (): Promise<void> => {
    if (provider === undefined) return
    await leaveToSignIn(provider).catch(() =>
      setProblem(`${provider.issuer} could not be reached from this browser, or does not allow this page.`),
    )
  }
  const said = problem ?? signInNotice.value
  return (
    <main class="sign-in">
      <h1>Octavo</h1>
      <p class="lead">Look at objects page by page, and never lose or repeat one.</p>
      {provider !== undefined && (
        <button class="primary wide" onClick={() => void leave()}>
          Sign in with {new URL(provider.issuer).host}
        </button>
      )}
      <form onSubmit={submit}>
        <label for="token">Access token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="oct_…"
          aria-describedby="token-help"
          value={given}
          onInput={({ currentTarget }) => {
            setGiven(currentTarget.value)
            setProblem(undefined)
          }}
        />
        <button class={provider === undefined ? 'primary' : ''} type="submit">
          Sign in
        </button>
      </form>
      {said !== undefined && (
        <p class="problem" role="alert">
          {said}
        </p>
      )}
      <p id="token-help" class="faint">
        <code>octavo demo</code> and <code>octavo dev</code> print one. Elsewhere, the operator of this
        service can make one with <code>octavo token create</code>. It is kept for this tab only.
      </p>
      <nav class="faint">
        <a href="/docs">Reference</a> <a href="/home">About this service</a>{' '}
        <a href="/health/ready">Health</a>
      </nav>
    </main>
  )
}
