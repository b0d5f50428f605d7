// What can be left out: delete a folder and its line here, and the rest compiles and keeps every promise of revisions 1.0 and 2.0.
export { agents } from './agents/agents.ts'
export { officialClients } from './official-clients/official-clients.ts'
