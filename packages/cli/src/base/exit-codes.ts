/** The exit codes of the command. `octavo --help` and docs/reference/command.md show this table. */
export const exitCodes = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  doneInPart: 3,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'failed: the service refused the request, or something broke'],
  [exitCodes.wrongUse, 'usage error: in a flag, a setting or a definition file'],
  [exitCodes.doneInPart, 'partly done: some records were rejected'],
  [exitCodes.interrupted, 'stopped by Ctrl-C'],
]
