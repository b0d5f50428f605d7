// What the service says that it took for a page, stage by stage, in the header Server-Timing.
export interface PageTiming {
  readonly stages: readonly (readonly [name: string, milliseconds: number])[]
  /** What the database took. */
  readonly readMs: number
  readonly totalMs: number
}

/** Undefined for answers that are no pages of objects. */
export function timingOf(header: string | null): PageTiming | undefined {
  const stages = [...(header ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g)].map(
    ([, name = '', milliseconds]) => [name, Number(milliseconds)] as const,
  )
  const read = stages.find(([name]) => name === 'read')
  if (read === undefined) return undefined
  return { stages, readMs: read[1], totalMs: stages.reduce((sum, [, each]) => sum + each, 0) }
}
