// As much of a browser as `@osdk/oauth` needs of one, for one tab.
export interface BrowserWindow {
  /** The addresses to which the page went, the newest last. */
  readonly visited: string[]
  /** Loads a page at this address: the storage of the tab stays. */
  readonly load: (address: string) => void
  readonly close: () => void
}

export function openWindow(address: string): BrowserWindow {
  const visited: string[] = []
  const stored = new Map<string, string>()
  let here = new URL(address)
  const location = {
    get href() {
      return here.href
    },
    get pathname() {
      return here.pathname
    },
    toString: () => here.href,
    assign: (to: string) => void visited.push(to),
  }
  const globals = {
    window: {
      location,
      history: {
        replaceState: (_state: unknown, _title: string, to: string) => {
          here = new URL(to, here)
        },
      },
    },
    sessionStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    },
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
  return {
    visited,
    load: (to) => {
      here = new URL(to)
    },
    close: () => {
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
    },
  }
}
