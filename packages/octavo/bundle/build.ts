// `npm run build` and `npm pack` make the bundle that is published.
import { join } from 'node:path'
import { bundleInto } from './bundle-into.ts'

await bundleInto(process.argv[2] ?? join(import.meta.dirname, '../dist'))
