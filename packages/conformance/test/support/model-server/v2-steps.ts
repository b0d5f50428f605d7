// The steps of revision v2, each as the contract requires. A broken server replaces one of them.

export interface V2Steps {
  /** A flat record, as it is sent. */
  readonly flatRecord: (record: Readonly<Record<string, unknown>>) => object
  /** What a page says about the total. */
  readonly v2Total: (total: string, page: { readonly isLast: boolean }) => object
  /** Refuses a kind of object set or condition that there is not; false if it is ignored instead. */
  readonly knowsKind: (kind: string, known: readonly string[]) => boolean
}

export const correctV2Steps: V2Steps = {
  flatRecord: (record) => record,
  v2Total: (totalCount) => ({ totalCount }),
  knowsKind: (kind, known) => known.includes(kind),
}
