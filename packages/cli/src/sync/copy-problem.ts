/** The faults of a copy. The command says what to do about each. */
export type CopyProblemKind =
  /** There is a table of this name that no sync has made. */
  | 'not a copy'
  /** A table cannot have the name of this type. */
  | 'reserved name'
  /** It was copied from another ontology. */
  | 'another ontology'
  /** Another process has brought the copy to another state. */
  | 'written elsewhere'
  /** The service has another type of this name than the one that was copied. */
  | 'another definition'
  /** The service has added a property since its definition was read: to be read again. */
  | 'newer definition'
  /** With the changes, the copy is not what the service has: somebody else has changed its rows. */
  | 'does not add up'
  /** The loaded objects are not those of the service. */
  | 'incomplete load'

export class CopyProblem extends Error {
  override readonly name = 'CopyProblem'
  readonly kind: CopyProblemKind
  readonly objectType: string

  constructor(kind: CopyProblemKind, objectType: string) {
    super(`${objectType}: ${kind}`)
    this.kind = kind
    this.objectType = objectType
  }
}
