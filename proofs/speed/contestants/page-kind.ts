import type { Mode } from '../data/expected-objects.ts'

/** Which pages are read, by any contestant. */
export interface PageKind {
  readonly pageSize: number
  readonly mode: Mode
  readonly revision: '1.0' | '2.0'
}

export const describeKind = ({ pageSize, mode, revision }: PageKind): string =>
  `pages of ${pageSize.toLocaleString('en')}, ${mode}, revision ${revision}`

export const allKinds: readonly PageKind[] = [1_000, 100].flatMap((pageSize) =>
  (['1.0', '2.0'] as const).flatMap((revision) =>
    (['latest', 'snapshot'] as const).map((mode) => ({ pageSize, mode, revision })),
  ),
)
