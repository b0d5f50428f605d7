import { Command } from 'commander'
import { remedyFor } from './remedy-for.ts'

interface UsageError {
  readonly exitCode?: number
  readonly code?: string
}

/** A command whose errors say what to type instead. Its subcommands are of the same kind. */
export class UsageCommand extends Command {
  override createCommand(name: string): Command {
    return new UsageCommand(name)
  }

  override error(message: string, options?: UsageError): never {
    return super.error(`${message}${remedyFor(options?.code, message, this)}`, options)
  }
}
