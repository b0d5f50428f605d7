export type ServerSettings = Readonly<Record<string, string>>

const always: ServerSettings = {
  max_connections: '200',
  shared_buffers: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Segments become files of the data folder and are removed with it, even after a crash; a container's /dev/shm is often 64
  // MB.
  dynamic_shared_memory_type: 'mmap',
}

// synchronous_commit stays on: without it a commit may still be in the server's memory when kill() ends the server, and a
// crash test would lose committed data. With fsync off it costs one write to the page cache.
const throwaway: ServerSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

export type ClusterOptions = {
  /** Settings of postgresql.conf; they override ours. */
  readonly settings?: ServerSettings
  /** Writes to disk as a real server does, so that benchmark figures mean something. */
  readonly durable?: boolean
  /** A random one unless given: for servers that must let each other in. */
  readonly password?: string
}

export const serverSettings = ({ settings = {}, durable = false }: ClusterOptions): ServerSettings => ({
  ...always,
  ...(durable ? {} : throwaway),
  ...settings,
})
