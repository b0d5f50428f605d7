/** The reasons that the users of a database can mend. */
export type SourceRefusal = 'no access' | 'no database' | 'no right'

/** Why a table of another database cannot be read. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  readonly kind: SourceRefusal | 'other'

  constructor(message: string, kind: SourceRefusal | 'other', cause: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
