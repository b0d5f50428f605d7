// Loaded before the service. The channel to the parent closes however the parent ends, also by kill -9.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

// Listening alone must not keep the service running once it has stopped.
process.channel?.unref()
