import { Option } from 'commander'

const choices = ['auto', 'gzip', 'zstd', 'none'] as const
export type CompressChoice = (typeof choices)[number]

/** How to compress what is sent. */
export const compressOption = (automatic: string): Option =>
  new Option('--compress <HOW>', `how to compress what is sent; auto is ${automatic}`)
    .choices(choices)
    .default('auto')
