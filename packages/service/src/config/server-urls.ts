// A URL may name several servers, as libpq allows: postgres://user:password@one:5432,two:5432/name
const withHosts = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s

/** One URL for each server that the URL names. */
export function serverUrls(url: string): readonly string[] {
  const [, start = '', hosts = '', end = ''] = withHosts.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${start}${host}${end}`) : [url]
}
