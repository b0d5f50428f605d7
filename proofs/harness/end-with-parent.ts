// Loaded before the service. The channel to the parent closes however the parent ends, even by kill -9.

process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

// The listener must not keep the service running once it has stopped.
process.channel?.unref()
