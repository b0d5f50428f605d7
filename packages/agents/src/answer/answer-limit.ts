// Every answer is bounded in bytes (P371): what an agent reads fills its context, and what does not fit there is lost unsaid.
import { limits } from '@octavo/protocol/vocabulary'

export const answerBytes = limits.agents.answerBytes

/** What an answer needs beside its items: names, numbers and the note. Tokens are counted when they are known. */
export const envelopeBytes = 1_024

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** An error may repeat what was sent, which may be long. */
export function boundedText(text: string, most = limits.agents.errorBytes): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  // A character that is cut in half becomes U+FFFD.
  const start = bytes
    .subarray(0, most - 64)
    .toString()
    .replace(/\uFFFD$/, '')
  return `${start}... (${bytes.length - Buffer.byteLength(start)} more bytes of this message are left out)`
}
