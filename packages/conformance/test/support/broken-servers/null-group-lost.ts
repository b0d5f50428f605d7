import type { BrokenServer } from './broken-server.ts'

export const nullGroupLost: BrokenServer = {
  name: 'null-group-lost',
  mistake: 'groups by a join with the values, which loses the objects without one even if they are asked for',
  clause: 'P307',
  steps: () => ({
    groupedObjects: (objects, { field }) => objects.filter((object) => object[field] !== undefined),
  }),
}
