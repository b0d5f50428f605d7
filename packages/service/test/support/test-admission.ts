import { openAdmission, type Admission } from '../../src/guard/admit/admission.ts'
import { retryAfter } from '../../src/guard/admit/retry-after.ts'

const elapsed = () => performance.now()

/** For tests that are not about overload: every request waits for its turn. */
export const testAdmission = (): Admission =>
  openAdmission({
    places: 4,
    mostWaiting: 1_000,
    mostMilliseconds: 60_000,
    retryAfter: retryAfter(() => 0),
    setAsidePlaces: 0,
    roomBytes: 32 * 1_024 * 1_024,
    pageBytes: 8 * 1_024 * 1_024,
    setAsideBytes: 0,
    isLate: () => false,
    elapsed,
  })
