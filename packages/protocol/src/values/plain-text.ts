/** Any Unicode text except U+0000, which PostgreSQL cannot store, and lone surrogates, which UTF-8 cannot encode. */
export const plainTextPattern = '^[^\\u0000\\ud800-\\udfff]*$'
