import type { Flooded } from './types.ts'

/** Begins a flood, which then goes on. */
export type Flood = (flooded: Flooded) => Promise<void>
