// What a person does at the provider of login-provider.ts, without a browser: follows redirects, keeps cookies, fills in the forms.

export interface SigningIn {
  readonly login: string
  /** Where the way ends: it is not asked for. */
  readonly until: (address: string) => boolean
}

/** Returns the address at which the way ends. */
export async function signInByForm(from: string, { login, until }: SigningIn): Promise<string> {
  const cookies = new Map<string, string>()
  let request: { readonly address: string; readonly form?: URLSearchParams } = { address: from }
  for (let steps = 0; steps < 20; steps += 1) {
    const { address, form } = request
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: form }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const page = await answer.text()
    const location = answer.headers.get('location')
    if (location !== null) {
      const next = new URL(location, address).href
      if (until(next)) return next
      request = { address: next }
    } else {
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`${answer.status} ${page}`)
      request = {
        address: new URL(action, address).href,
        form: new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }),
      }
    }
  }
  throw new Error(`The sign-in does not end; it is at ${request.address} now.`)
}
