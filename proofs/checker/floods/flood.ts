import type { Flooded } from './types.ts'

/** Starts a flood, which continues after it has returned. */
export type Flood = (flooded: Flooded) => Promise<void>
