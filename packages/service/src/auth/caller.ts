/** Who the credentials of a request stand for. */
export interface Caller {
  readonly subject: string
}
