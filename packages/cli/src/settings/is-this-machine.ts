const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Whether the service at this URL is on the same machine. */
export const isThisMachine = (url: string): boolean => loopback.test(new URL(url).hostname)
