import { correctLinksSteps } from '../model-server/links-steps.ts'
import type { BrokenServer } from './broken-server.ts'

export const linkedIsNotNull: BrokenServer = {
  name: 'linked-is-not-null',
  mistake:
    'takes a property with a value for a link, though the value may be the key of nothing, or of a hidden object',
  clause: 'P323',
  also: ['P324'],
  revision: '2.0',
  steps: () => ({
    linkedQuery: (link, targets, query) =>
      link.isHeldHere && query.query.type === 'empty'
        ? { type: 'isNull', field: link.property, value: false }
        : correctLinksSteps.linkedQuery(link, targets, query),
  }),
}
