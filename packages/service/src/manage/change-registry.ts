import { notingUnknown, type Attempt } from '../write/audited-changes.ts'
import { recordChange } from '../audit/record-change.ts'
import type { Transaction } from '../postgres/database.ts'
import type { ManageService } from './manage-service.ts'

interface RegistryChange<T> {
  readonly attempt: Attempt
  readonly work: (transaction: Transaction) => Promise<T>
  /** What is known only after the change, such as the id of what was created. */
  readonly done?: (result: T) => Partial<Attempt>
}

/** Changes tokens or grants for a caller, together with a row in the audit: both are written or neither. */
export async function changeRegistry<T>(
  { database, audits, observe, now, randomUuid }: ManageService,
  { attempt, work, done = () => ({}) }: RegistryChange<T>,
): Promise<T> {
  const result = await notingUnknown(
    observe,
    () => attempt,
    () =>
      database.transaction(async (transaction) => {
        const made = await work(transaction)
        if (audits) {
          await recordChange(transaction, { id: randomUuid(), now: now(), ...attempt, ...done(made) })
        }
        return made
      }),
  )
  observe({ kind: 'change-made', ...attempt, ...done(result) })
  return result
}
