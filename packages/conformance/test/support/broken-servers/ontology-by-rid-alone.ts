import { ontologyRid } from '../model-server/model-data.ts'
import type { BrokenServer } from './broken-server.ts'

export const ontologyByRidAlone: BrokenServer = {
  name: 'ontology-by-rid-alone',
  mistake: 'knows an ontology by its rid alone, though all other paths take its API name',
  clause: 'P411',
  revision: '1.0',
  steps: () => ({ isOntology: (name) => name === ontologyRid }),
}
