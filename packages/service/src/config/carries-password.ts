/** Of one or several URLs of PostgreSQL: between its user and its hosts, or as a parameter. */
export const carriesPassword = (urls: string): boolean =>
  /:\/\/[^@/]*:[^@/?#]+@/.test(urls) || /[?&](?:ssl)?password=[^&]/i.test(urls)
