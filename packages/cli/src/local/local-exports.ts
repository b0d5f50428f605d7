/** What `dev` and `demo` tell the user to set in another shell. */
export interface LocalExports {
  readonly url: string
  readonly token: string
  /** The rid of the ontology. */
  readonly rid: string
}

export const localExports = ({ url, token, rid }: LocalExports): string => `\
  export OCTAVO_URL=${url}
  export OCTAVO_TOKEN=${token}
  export OCTAVO_ONTOLOGY=${rid}
`

/** In a clone, npm finds its scripts only there. */
export const inAnotherShell = (commandName: string): string =>
  commandName.startsWith('npm run') ? 'In another shell, in this folder:' : 'In another shell:'
