// Where the pages are, for the service that serves them. The code that runs in the browser is in `app`.
import { join } from 'node:path'

/** Holds the built pages. Absent in a clone in which nothing was built yet. */
export const pagesFolder: string = join(import.meta.dirname, '../dist/pages')

/** Builds them, in a clone. */
export const buildCommand = 'npm run build:pages -w @octavo/explorer'
