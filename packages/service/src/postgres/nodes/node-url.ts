import { serverUrls } from '../../config/server-urls.ts'

/** The URL of a node: as that of the coordinator, with another address. */
export function nodeUrl(databaseUrl: string, address: string): string {
  const url = new URL(serverUrls(databaseUrl)[0] ?? databaseUrl)
  for (const parameter of ['host', 'port']) url.searchParams.delete(parameter)
  url.host = address
  return url.href
}
