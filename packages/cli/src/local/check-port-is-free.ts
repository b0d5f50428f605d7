import { createServer } from 'node:net'

/** Checks that the port is free before anything is started. */
export const checkPortIsFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Error(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is in use: stop what uses it, or choose another with --port.`
            : `Port ${port} cannot be used (${error.code}): choose another with --port.`,
        ),
      ),
    )
    server.listen(port, host, () => server.close(() => resolve()))
  })
