/** A request as every load generator sends it. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns the answer, or throws an error that shows it. */
export async function askJson(url: string, { path, ...init }: BenchRequest): Promise<unknown> {
  const response = await fetch(url + path, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}
