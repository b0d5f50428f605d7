import type { BrokenServer } from './broken-server.ts'

export const sumOfDoubles: BrokenServer = {
  name: 'sum-of-doubles',
  mistake: 'adds long numbers as doubles, which are exact only up to 2^53',
  clause: 'P303',
  steps: () => ({
    sum: (values) => String(values.reduce<number>((sum, value) => sum + Number(value), 0)),
  }),
}
