// Generated from the operators of the protocol by `npm run generate`.
export const operators = {
  eq: { value: 'scalar', on: 'all' },
  lt: { value: 'scalar', on: 'ordered' },
  lte: { value: 'scalar', on: 'ordered' },
  gt: { value: 'scalar', on: 'ordered' },
  gte: { value: 'scalar', on: 'ordered' },
  in: { value: 'list', on: 'all' },
  isNull: { value: 'boolean', on: 'all' },
  prefix: { value: 'text', on: 'strings' },
  phrase: { value: 'text', on: 'strings' },
  anyTerm: { value: 'text', on: 'strings' },
  allTerms: { value: 'text', on: 'strings' },
  contains: { value: 'scalar', on: 'arrays' },
} as const
