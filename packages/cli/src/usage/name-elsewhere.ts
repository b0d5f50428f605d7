/** What other programs call what a command does. */
export const nameElsewhere: Readonly<Record<string, string | undefined>> = {
  create: 'apply',
  dump: 'export',
  find: 'search',
  import: 'load',
  insert: 'load',
  pull: 'export',
  push: 'load',
  query: 'search',
  remove: 'delete',
  rm: 'delete',
  run: 'serve',
  start: 'serve',
  up: 'serve',
  upload: 'load',
}
