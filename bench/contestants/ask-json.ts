import type { BenchRequest } from './contestant.ts'

/** Returns the answer, or throws an error that shows it. */
export async function askJson(url: string, { path, ...init }: BenchRequest): Promise<unknown> {
  const response = await fetch(url + path, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}
