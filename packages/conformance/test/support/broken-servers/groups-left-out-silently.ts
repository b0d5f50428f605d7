import type { BrokenServer } from './broken-server.ts'

export const groupsLeftOutSilently: BrokenServer = {
  name: 'groups-left-out-silently',
  mistake: 'returns the first groups and does not say that there are others',
  clause: 'P312',
  steps: () => ({
    firstGroups: (groups, most) => ({ groups: groups.slice(0, most) }),
  }),
}
