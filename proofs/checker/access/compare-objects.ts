import { plain, type Comparison, type Request } from './comparison.ts'
import { get, listPath, searchPath, v2Path } from './paths.ts'
import { docs } from './two-types.ts'

/** A hidden object, none, a visible one, and a key that looks like a hidden one. */
const keys = ['h000001', 'nosuch', 'v000003', 'v000000hx0']
/** These two are hidden and missing. */
const [hiddenKey, missingKey] = ['h000001', 'h999991'] as const

/** Everything that is answered about one object. */
export async function compareObjects({ both, same, two }: Comparison): Promise<void> {
  const requests = (key: string): readonly (readonly [string, Request])[] => {
    const listed = (side: 'a' | 'b') => `${listPath(two.rid, docs(side))}/${key}`
    const links = ['peer', 'peers', 'manies'].flatMap((link): readonly (readonly [string, Request])[] => [
      [`links ${link}`, (side) => get(`${listed(side)}/links/${link}`)],
      [`links of v2 ${link}`, (side) => get(`${v2Path}/objects/${docs(side)}/${key}/links/${link}`)],
    ])
    return [
      ['get', (side) => get(listed(side))],
      ['head', (side) => ({ method: 'HEAD', path: listed(side) })],
      ['versions', (side) => get(`${searchPath(docs(side))}/objects/${key}/versions`)],
      ['get of v2', (side) => get(`${v2Path}/objects/${docs(side)}/${key}`)],
      ...links,
    ]
  }
  for (const key of keys) for (const [name, request] of requests(key)) await both(`${name} ${key}`, request)
  const missing = new Map(requests(missingKey))
  for (const [name, request] of requests(hiddenKey)) {
    const [hidden, none] = [
      await two.ask(request('b')),
      await two.ask(missing.get(name)?.('b') ?? request('b')),
    ]
    same(
      `${name} of a hidden object, like that of none`,
      `${hidden.status} ${plain(hidden.text).replaceAll(hiddenKey, 'KEY')}`,
      `${none.status} ${plain(none.text).replaceAll(missingKey, 'KEY')}`,
    )
  }
}
