// What the service says to a program about its request, said to somebody who typed a command.
import type { OctavoError } from '@octavo/client'
import type { ServiceRefused } from '../connection/service-errors.ts'

/** Undefined if the sentence of the service suits both. */
export function inWordsOfTheCommand({
  errorName,
  parameters,
}: ServiceRefused | OctavoError): string | undefined {
  if (errorName === 'GrantNotFound') return `${noGrant} (${errorName})`
  if (errorName === 'AccessTokenNotFound') return `${noAccessToken} (${errorName})`
  if (errorName !== 'InvalidSnapshotToken') return undefined
  const { reason, objectType }: Readonly<Record<string, unknown>> = { ...parameters }
  const sentence = reason === 'otherObjectType' ? ofOtherType(String(objectType)) : wrongToken[String(reason)]
  return sentence && `${sentence} (${errorName})`
}

const noGrant = 'There is no such grant: octavo grant list shows those that there are.'
const noAccessToken = 'There is no access token with this id: octavo token list shows those that there are.'

const wrongToken: Readonly<Record<string, string | undefined>> = {
  malformed:
    'This is not a snapshot token of this service, or not all of it: give what octavo snapshot printed, whole.',
  pageToken: 'This token is of a page, not of a snapshot: octavo snapshot prints a snapshot token.',
  otherOntology:
    'This snapshot token is of another ontology: name that one with --ontology, or take a token of this one with octavo snapshot.',
}

const ofOtherType = (objectType: string): string =>
  `This snapshot token does not name the state of ${objectType}: take one that does with octavo snapshot ${objectType}.`
