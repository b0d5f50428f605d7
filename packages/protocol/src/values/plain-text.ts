/** What a text may hold: any Unicode but U+0000, which PostgreSQL cannot store, and halves of surrogate pairs, which no UTF-8 has. */
export const plainTextPattern = '^[^\\u0000\\ud800-\\udfff]*$'
