/** Whether one or several PostgreSQL URLs contain a password: between user and hosts, or as a parameter. */
export const carriesPassword = (urls: string): boolean =>
  /:\/\/[^@/]*:[^@/?#]+@/.test(urls) || /[?&](?:ssl)?password=[^&]/i.test(urls)
