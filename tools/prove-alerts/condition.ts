/** Something that really happens to a service, and the alerts that must tell of it. */
export interface Condition {
  readonly says: string
  readonly alerts: readonly string[]
  /** Called again and again until the alerts fire, with the number of calls before. */
  readonly cause: (times: number) => Promise<unknown>
  readonly undo?: () => Promise<unknown>
}
