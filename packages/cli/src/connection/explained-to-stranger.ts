import { ServiceRefused } from './service-errors.ts'

/** The refusal of a request whose token the service has not accepted yet: the service explains it to programs. */
export function explainedToStranger(refused: ServiceRefused, url: string): ServiceRefused {
  const { origin, pathname } = new URL(url)
  if (refused.errorName === 'PathNotFound' && pathname !== '/') {
    return withMessage(
      refused,
      `The service at ${origin} has no path ${pathname}: give the url without it, as ${origin}. (PathNotFound)`,
    )
  }
  if (refused.errorName === 'Default:Unauthorized') {
    return withMessage(
      refused,
      'The service refused the token: it is mistyped, expired, revoked, or for another service. Ask for a new one and save it with octavo login. Further wrong ones are answered more slowly. (Default:Unauthorized)',
    )
  }
  if (refused.errorName === 'RateLimited') {
    return withMessage(
      refused,
      `${refused.message} A service also throttles addresses that sent many wrong tokens, and then looks at none: check the token too.`,
    )
  }
  return refused
}

const withMessage = (refused: ServiceRefused, message: string): ServiceRefused => {
  const { status, errorName, parameters, retryAfterSeconds } = refused
  const again = retryAfterSeconds !== undefined && { retryAfterSeconds }
  return new ServiceRefused({ status, errorName, parameters, message, ...again })
}
