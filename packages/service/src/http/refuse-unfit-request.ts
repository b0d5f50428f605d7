// Refuses requests that are invalid whatever endpoint they are for.
import { limits } from '@octavo/protocol'
import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../base/errors/service-error.ts'

type Head = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'rawHeaders' | 'url'>

export function refuseUnfitRequest({ url = '', headers, httpVersion, rawHeaders }: Head): void {
  const { urlBytes, headerBytes } = limits.request
  // Node gives both as strings with one character per byte.
  if (urlLength(url) > urlBytes)
    throw new ServiceError('RequestTooLarge', { limit: 'urlBytes', maximum: urlBytes })
  if (sizeOf(rawHeaders) > headerBytes) {
    throw new ServiceError('RequestTooLarge', { limit: 'headerBytes', maximum: headerBytes })
  }
  // RFC 9112, section 3.2. Node would refuse it too, but without a body.
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new ServiceError('InvalidParameterValue', {
      parameterId: 'Host',
      parameterValue: '',
      expected: 'the host name of the service, which HTTP/1.1 requires',
    })
  }
  refuseUndecodable(url)
}

/**
 * Without its page token: otherwise a walk could begin and not be continued, because the request is repeated with a token (P24).
 */
export const urlLength = (url: string): number =>
  url.length > limits.request.urlBytes ? url.replace(/[?&]pageToken=[^&]*/, '').length : url.length

const colonSpaceAndLineEnd = 4

const sizeOf = (rawHeaders: readonly string[]): number =>
  rawHeaders.reduce((sum, text) => sum + text.length, (rawHeaders.length / 2) * colonSpaceAndLineEnd)

/**
 * The framework leaves text that it cannot decode as it is, and a filter would then look for another value than the caller
 * meant.
 */
function refuseUndecodable(url: string): void {
  const start = url.indexOf('?')
  if (start === -1 || isDecodable(url.slice(start))) return
  for (const parameter of url.slice(start + 1).split('&')) {
    if (isDecodable(parameter)) continue
    const [name = '', value = ''] = parameter.split(/=(.*)/s)
    throw new ServiceError('InvalidParameterValue', {
      parameterId: name,
      parameterValue: value,
      expected: 'a name and a value in valid percent-encoded UTF-8 (a percent sign itself is %25)',
    })
  }
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
