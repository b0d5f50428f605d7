// A real Chromium with one tab, for tests of pages that people use by hand.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BrowserTab {
  readonly open: (url: string) => Promise<void>
  /** The value of an expression in the page; a promise is awaited. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Waits until the expression is true in the page. */
  readonly until: (expression: string) => Promise<void>
  readonly close: () => Promise<void>
}

interface Reply {
  readonly id?: number
  readonly result?: { readonly result?: { readonly value?: unknown }; readonly exceptionDetails?: unknown }
}

const patienceMs = 60_000

/** `folder` holds the browser's own files. */
export async function openBrowser(folder: string): Promise<BrowserTab> {
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0']
  const browser = spawn('chromium', [...flags, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => browser.once('close', () => resolve()))
  const origin = await new Promise<string>((resolve, reject) => {
    let said = ''
    browser.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      const address = /DevTools listening on ws:\/\/([^/]+)/.exec(said)?.[1]
      if (address !== undefined) resolve(`http://${address}`)
    })
    void ended.then(() => reject(new Error(`Chromium ended:\n${said}`)))
  })
  const tabs = (await (await fetch(`${origin}/json`)).json()) as readonly {
    readonly type: string
    readonly webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(tabs.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '')
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  const replies = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply: Reply = JSON.parse(String(data))
    replies.get(reply.id ?? 0)?.(reply)
  })
  let sent = 0
  const send = (method: string, params: object): Promise<Reply> =>
    new Promise((resolve) => {
      sent += 1
      replies.set(sent, resolve)
      socket.send(JSON.stringify({ id: sent, method, params }))
    })
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    if (result?.exceptionDetails !== undefined) throw new Error(JSON.stringify(result.exceptionDetails))
    return result?.result?.value
  }
  return {
    open: async (url) => void (await send('Page.navigate', { url })),
    evaluate,
    until: async (expression) => {
      const deadline = performance.now() + patienceMs
      while ((await evaluate(expression).catch(() => false)) !== true) {
        if (performance.now() > deadline) throw new Error(`the page never came to: ${expression}`)
        await sleep(100)
      }
    },
    close: async () => {
      browser.kill()
      await ended
    },
  }
}
