// Internals of the command that tools and benchmarks may use, besides its exports.
export { aviationTypes } from '../src/demo/aviation-definitions.ts'
export { aviationCounts, aviationObjects } from '../src/demo/aviation-objects.ts'
export { batchMemories } from '../src/load/batch-memory.ts'
export { cutBatches } from '../src/load/cut-batches.ts'
export { beginning } from '../src/records/line.ts'
export { openInput } from '../src/records/open-input.ts'
export { readRecords } from '../src/records/read-records.ts'
