import { correctSteps } from '../model-server/steps.ts'
import type { BrokenServer } from './broken-server.ts'

const mostInPage = 40

export const shortPageIsTheEnd: BrokenServer = {
  name: 'short-page-is-the-end',
  mistake: 'sends fewer objects than asked for, and takes the short page for the last one',
  clause: 'P6',
  also: ['P3', 'P33', 'P35', 'P42', 'P45', 'P68', 'P150', 'P245', 'P255', 'P272', 'P317'],
  steps: () => ({
    takePage: (rest, size, ask) => {
      const page = correctSteps.takePage(rest, Math.min(size, mostInPage), ask)
      return { ...page, hasMore: page.hasMore && page.objects.length === size }
    },
  }),
}
