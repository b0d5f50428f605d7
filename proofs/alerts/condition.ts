/** Something that really happens to a service, and the alerts that must report it. */
export interface Condition {
  readonly says: string
  readonly alerts: readonly string[]
  /** Called repeatedly until the alerts fire, with the number of earlier calls. */
  readonly cause: (times: number) => Promise<unknown>
  readonly undo?: () => Promise<unknown>
}
