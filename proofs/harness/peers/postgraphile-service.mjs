// PostGraphile as a library, with the preset that its documentation starts from, and nothing that only development needs.
import { createServer } from 'node:http'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['bench'] })],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
})

const server = createServer()
await pgl.createServ(grafserv).addTo(server)
server.listen(Number(process.env.PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
