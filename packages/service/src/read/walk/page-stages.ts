// The stages of a page, in the order in which serve-page.ts runs them. Server-Timing, the metrics and the traces use their names,
// and the picture in ARCHITECTURE.md and the table in read/README.md are made from this table.

export interface PageStage {
  /** Relative to packages/service/src. */
  readonly file: string
  readonly question: string
  /** What the stage produces: a type, where there is one. */
  readonly makes: string
  readonly says: string
}

export const pageStages = {
  parse: {
    file: 'read/request/parse-page-request.ts',
    question: 'What is asked for?',
    makes: 'PageRequest',
    says: 'The only place where input is parsed; it arrives as `unknown`. Unknown fields are refused here.',
  },
  wait: {
    file: 'guard/admit/admission.ts',
    question: 'Whose turn is it?',
    makes: 'Reservation',
    says: 'A turn at the database and memory for the page, or a refusal. Held until the answer has been sent.',
  },
  find: {
    file: 'catalog/find-object-type.ts',
    question: 'Which type, and may the caller read it?',
    makes: 'ObjectType',
    says: 'From the cached catalog and the cached grants.',
  },
  resolve: {
    file: 'read/request/resolve-names.ts',
    question: 'Which properties are meant?',
    makes: 'PageRequest',
    says: 'Property names become those of the definition; an unknown one is refused with the most similar name.',
  },
  bind: {
    file: 'read/token/token-binding.ts',
    question: 'Whose walk, of which request?',
    makes: 'binding',
    says: 'What a page token is bound to: the caller and every part of the request.',
  },
  open: {
    file: 'read/token/open-page-token.ts',
    question: 'Where did the last page end?',
    makes: 'Walk',
    says: 'The position, and in snapshot mode the version and its tag. A first page has none.',
  },
  plan: {
    file: 'read/plan/plan-page.ts',
    question: 'What must be read?',
    makes: 'PagePlan',
    says: 'Order with tie-breaker, filter, arms, latest or version, size and byte budget. Refuses what no index can serve.',
  },
  read: {
    file: 'read/rows/page/read-page.ts',
    question: 'What does PostgreSQL answer?',
    makes: 'PageRows',
    says: 'The plan as one statement (`read/sql/compile-page-query.ts`), and its rows as bytes, assembled as they arrive. Version, tag, floor and revision come with them and are checked.',
  },
  count: {
    file: 'read/rows/numbers/count-matches.ts',
    question: 'How many are there?',
    makes: 'total',
    says: 'From the clock row. Only the matches of a filter are counted, once per walk.',
  },
  seal: {
    file: 'read/token/seal-page-token.ts',
    question: 'Where does the next one start?',
    makes: 'PageToken',
    says: 'Only if more objects exist.',
  },
  write: {
    file: 'read/page/write-page.ts',
    question: 'What does it look like on the wire?',
    makes: 'body',
    says: 'The envelope, written in place around the bytes of the records.',
  },
} as const satisfies Readonly<Record<string, PageStage>>

export type PageStageName = keyof typeof pageStages
