// What the action of every command starts with.
import type { ManagedOntology } from '@octavo/protocol'
import type { Command } from 'commander'
import type { CommandContext } from '../base/command-context.ts'
import { readSettings, type GlobalFlags } from '../settings/read-settings.ts'
import { openConnection, type Connection } from './connection.ts'
import { findOntology } from './find-ontology.ts'

export interface ConnectedOntology {
  readonly connection: Connection
  readonly ontology: ManagedOntology
}

export const globalFlags = (command: Command): GlobalFlags => command.optsWithGlobals<GlobalFlags>()

/** Whether the output is for a machine. */
export const wantsJson = (command: Command): boolean => globalFlags(command).json === true

export const connect = (command: Command, context: CommandContext): Connection =>
  openConnection(readSettings(globalFlags(command), context), context)

/** Connects, and finds the ontology that the settings name, or the only one that the caller can see. */
export async function connectToOntology(
  command: Command,
  context: CommandContext,
): Promise<ConnectedOntology> {
  const settings = readSettings(globalFlags(command), context)
  const connection = openConnection(settings, context)
  return { connection, ontology: await findOntology(connection, settings.ontology) }
}
