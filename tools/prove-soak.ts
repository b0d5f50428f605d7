// `npm run prove:soak`: hours of mixed load leave memory, connections, history and tables as large as they were. `--minutes`
// is the length of the long form; the short form takes three.
import { staysFlat } from './prove-soak/stays-flat.ts'
import { prove } from './prove.ts'

await prove(
  'soak',
  async (proof) => {
    await proof.point('Under mixed load, memory, connections, history and tables stop growing', () =>
      staysFlat(proof, Number(proof.given['minutes'])),
    )
  },
  { minutes: { type: 'string', default: '120' } },
)
