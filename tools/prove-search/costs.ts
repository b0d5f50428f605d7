import type { Proof } from '../prove.ts'
export async function proveCosts(_proof: Proof): Promise<void> {}
