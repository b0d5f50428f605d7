// A path that ends in a slash, or has two in a row, contains an empty segment, and no name or key is empty (P182).

const emptySegment = /^[^?]*\/(?:\/|\?|$)/

/** An absolute URL, as clients send it to a proxy, is left to the router. */
export const hasEmptySegment = (url: string): boolean => url.startsWith('/') && emptySegment.test(url)

/** The path that was probably meant, without the query string. */
export const withoutEmptySegments = (url: string): string => {
  const [path = ''] = url.split('?', 1)
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`
}
