// A path with a slash at its end, or with two in a row, has a segment without a text: no name and no key is empty (P182).

const emptySegment = /^[^?]*\/(?:\/|\?|$)/

/** A whole URL, as a proxy is asked for one, is left to the router. */
export const hasEmptySegment = (url: string): boolean => url.startsWith('/') && emptySegment.test(url)

/** The path that was probably meant, without the query string. */
export const withoutEmptySegments = (url: string): string => {
  const [path = ''] = url.split('?', 1)
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}
