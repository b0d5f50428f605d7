// The token of the user who is signed in. It is kept for this tab only, and never stands in an address.
import { signal } from '@preact/signals'

const storedAs = 'octavo.token'

export const token = signal<string | undefined>(sessionStorage.getItem(storedAs) ?? undefined)

/** Why the last token is not used any more, for the page that asks for another. */
export const signInNotice = signal<string | undefined>(undefined)

export function signIn(given: string): void {
  sessionStorage.setItem(storedAs, given)
  signInNotice.value = undefined
  token.value = given
}

export function signOut(why?: string): void {
  sessionStorage.removeItem(storedAs)
  signInNotice.value = why
  token.value = undefined
}
