/** The values of an order's keys for the last object of a page, as PostgreSQL writes them: text, never a number or a Date. */
export type PagePosition = readonly (string | null)[]
