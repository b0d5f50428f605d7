import type { ObjectTypeDefinition } from '@octavo/protocol'

/** Unlike the employee it has a numeric key, and declared orders whose keys always have a value or may lack one. */
export const deviceDefinition: ObjectTypeDefinition = {
  apiName: 'device',
  displayName: 'Device',
  primaryKey: 'deviceId',
  titleProperty: 'label',
  properties: {
    deviceId: { type: 'long' },
    label: { type: 'string', sortable: true },
    slot: { type: 'integer', required: true, sortable: true },
    weight: { type: 'decimal', sortable: true },
    seenAt: { type: 'timestamp', required: true, sortable: true },
  },
  orders: [
    {
      fields: [
        { field: 'slot', direction: 'asc' },
        { field: 'seenAt', direction: 'desc' },
      ],
    },
    {
      fields: [
        { field: 'weight', direction: 'desc' },
        { field: 'slot', direction: 'asc' },
      ],
    },
  ],
}
