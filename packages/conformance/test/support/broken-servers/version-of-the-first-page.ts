import type { BrokenServer } from './broken-server.ts'

export const versionOfTheFirstPage: BrokenServer = {
  name: 'version-of-the-first-page',
  mistake: 'repeats the version of the first page on every page of a walk in default mode',
  clause: 'P248',
  steps: () => ({ versionShown: ({ read }) => read }),
}
