import { Writable } from 'node:stream'
import { callbackify } from 'node:util'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { packageVersion } from '../base/package-version.ts'
import { askOverHttp } from '../connection/ask-over-http.ts'
import { connect } from '../connection/connect.ts'
import { examples } from '../output/help-texts.ts'

export function registerMcp(program: Command, context: CommandContext): void {
  const { input, output, stopAsked } = context
  const writeBytes = callbackify(output.write)
  program
    .command('mcp')
    .summary('let an agent read objects, over standard input and output')
    .description(
      'Serves tools of the Model Context Protocol over standard input and output, until the input ends: list and describe types, search, get and count objects, and read changes. They only read, and only what the token may read. The program that runs the agent starts this command. The service itself offers the same tools at /mcp.',
    )
    .addHelpText(
      'after',
      examples([
        ['what the program that runs the agent starts', 'OCTAVO_URL=https://octavo.example.com octavo mcp'],
        ['with the settings of a profile', 'octavo mcp --profile agents'],
      ]),
    )
    .action(async (_options: object, command: Command) => {
      const connection = connect(command, context)
      if (input.isTerminal) {
        output.note(
          'Waiting for messages of an agent on standard input. Ctrl-C ends it; octavo mcp --help says more.\n',
        )
      }
      // Loaded only now: it takes longer to load than the rest of the command.
      const { serveOverStdio } = await import('@octavo/agents')
      await serveOverStdio({
        version: packageVersion(),
        ask: askOverHttp(connection),
        onFailure: (error) => output.note(`${error instanceof Error ? error.message : String(error)}\n`),
        input: input.stream,
        output: new Writable({
          write: (bytes: Buffer, _encoding, done) => writeBytes(bytes, (error) => done(error)),
        }),
        signal: stopAsked,
      })
    })
}
