// The ontology of `octavo demo`: made-up airlines between made-up airports.
import type { ObjectTypeDefinition, OntologyDefinition } from '@octavo/protocol'

export const aviationOntology: OntologyDefinition = {
  apiName: 'aviation',
  displayName: 'Aviation',
  description: 'Aircraft, airports, flights and people, all made up.',
  apiFamilies: ['aviation'],
}

const airport: ObjectTypeDefinition = {
  apiName: 'airport',
  displayName: 'Airport',
  primaryKey: 'code',
  titleProperty: 'name',
  properties: {
    code: { type: 'string' },
    name: { type: 'string', searchable: true, sortable: true },
    city: { type: 'string', searchable: true },
    country: { type: 'string', searchable: true, sortable: true },
    elevation: { type: 'integer', sortable: true, description: 'Metres above the sea.' },
    location: { type: { struct: { latitude: { type: 'double' }, longitude: { type: 'double' } } } },
    openedOn: { type: 'date', sortable: true },
  },
}

const aircraft: ObjectTypeDefinition = {
  apiName: 'aircraft',
  displayName: 'Aircraft',
  primaryKey: 'registration',
  titleProperty: 'registration',
  properties: {
    registration: { type: 'string' },
    model: { type: 'string', searchable: true, sortable: true },
    airline: { type: 'string', searchable: true },
    seats: { type: 'integer', sortable: true },
    builtOn: { type: 'date', sortable: true },
    flightHours: { type: 'decimal' },
    isInService: { type: 'boolean', searchable: true },
  },
}

const person: ObjectTypeDefinition = {
  apiName: 'person',
  displayName: 'Person',
  description: 'Crew and passengers. Some have more than one name.',
  primaryKey: 'personId',
  titleProperty: 'fullName',
  properties: {
    personId: { type: 'long' },
    fullName: { type: 'string', searchable: true, sortable: true },
    name: {
      type: {
        array: {
          struct: { firstName: { type: 'string' }, lastName: { type: 'string' }, kind: { type: 'string' } },
        },
      },
      searchable: true,
    },
    role: { type: 'string', searchable: true },
    languages: { type: { array: 'string' }, searchable: true },
    homeAirport: { type: 'string', searchable: true },
    bornOn: { type: 'date', sortable: true },
  },
  links: { home: { objectType: 'airport', foreignKeyProperty: 'homeAirport', reverse: 'people' } },
}

const flight: ObjectTypeDefinition = {
  apiName: 'flight',
  displayName: 'Flight',
  primaryKey: 'flightId',
  titleProperty: 'flightNumber',
  properties: {
    flightId: { type: 'long' },
    flightNumber: { type: 'string', searchable: true },
    registration: { type: 'string', searchable: true, description: 'Of the aircraft.' },
    origin: { type: 'string', searchable: true, description: 'Code of the airport.' },
    destination: { type: 'string', searchable: true, description: 'Code of the airport.' },
    departsAt: { type: 'timestamp', sortable: true, searchable: true },
    arrivesAt: { type: 'timestamp' },
    status: { type: 'string', searchable: true, counted: true },
    delayMinutes: { type: 'integer', searchable: true, sortable: true },
    fare: { type: 'decimal' },
    captainId: { type: 'long', searchable: true, description: 'Of the person.' },
    crewIds: { type: { array: 'long' }, searchable: true },
  },
  links: {
    aircraft: { objectType: 'aircraft', foreignKeyProperty: 'registration', reverse: 'flights' },
    originAirport: { objectType: 'airport', foreignKeyProperty: 'origin', reverse: 'departures' },
    destinationAirport: { objectType: 'airport', foreignKeyProperty: 'destination', reverse: 'arrivals' },
    captain: { objectType: 'person', foreignKeyProperty: 'captainId', reverse: 'flightsAsCaptain' },
    crew: { objectType: 'person', foreignKeyProperty: 'crewIds', reverse: 'flightsAsCrew' },
  },
  orders: [
    {
      fields: [
        { field: 'origin', direction: 'asc' },
        { field: 'departsAt', direction: 'desc' },
      ],
    },
  ],
}

export const aviationTypes = { airport, aircraft, person, flight } as const
