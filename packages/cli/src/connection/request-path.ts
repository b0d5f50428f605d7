/** A path of the service, with each value URL-encoded: requestPath`/manage/v1/ontologies/${rid}`. */
export const requestPath = (texts: TemplateStringsArray, ...values: readonly string[]): string =>
  texts.reduce((path, text, i) => `${path}${encodeURIComponent(values[i - 1] ?? '')}${text}`)
